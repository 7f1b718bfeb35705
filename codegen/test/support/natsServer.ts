import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { vi } from "vitest";

/** A NATS server with a port of its own, for this machine alone; it says in `folder` which one it got. */
export async function startNats(folder: string): Promise<{ url: string; stop: () => void }> {
  const program = ["/usr/sbin/nats-server", "/usr/bin/nats-server"].find(existsSync) ?? "nats-server";
  const server = spawn(program, ["--addr", "127.0.0.1", "--port", "-1", "--ports_file_dir", folder], {
    stdio: "ignore",
  });
  const url = await vi.waitFor(
    () => {
      const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".ports"));
      const said = JSON.parse(readFileSync(path.join(folder, name), "utf8")) as { nats: string[] };
      return said.nats[0]!;
    },
    { timeout: 300_000, interval: 50 },
  );
  return { url, stop: () => void server.kill("SIGKILL") };
}
