import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { wiremockJar } from "../setup/wiremock.mjs";
import { freePort, startService } from "./service.mjs";

/** WireMock that answers every POST with 200 after `replyMs`. */
export async function startWireMock(root, folder, replyMs) {
  const home = path.join(folder, "wiremock");
  mkdirSync(path.join(home, "mappings"), { recursive: true });
  writeFileSync(
    path.join(home, "mappings", "any.json"),
    JSON.stringify({
      request: { method: "POST", urlPattern: ".*" },
      response: { status: 200, body: "ok", fixedDelayMilliseconds: replyMs },
    }),
  );
  const port = await freePort();
  const service = await startService(
    "WireMock",
    "java",
    [
      "-XX:+UseSerialGC",
      "-XX:TieredStopAtLevel=1",
      "-Xmx256m",
      "-jar",
      wiremockJar(root),
      ...["--bind-address", "127.0.0.1", "--port", String(port), "--root-dir", home],
      // A thread for each connection that an example keeps; bodies with their length, not in chunks.
      ...["--container-threads", "100", "--use-chunked-encoding", "never"],
      ...["--no-request-journal", "--disable-banner"],
    ],
    async () => (await fetch(`http://127.0.0.1:${port}/__admin/mappings`)).ok,
  );
  return { ...service, port };
}
