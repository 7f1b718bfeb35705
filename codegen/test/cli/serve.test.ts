import { createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { documentOf, Penstock } from "./penstock.js";

let penstock: Penstock;
beforeEach(() => void (penstock = new Penstock()));
afterEach(() => penstock.cleanUp());

const serve = (...args: string[]) =>
  penstock.start(["serve", "--workspace", path.join(penstock.folder, "flows"), "--no-open", ...args]);
const readyEvent = async (started: ReturnType<typeof serve>) =>
  JSON.parse(await started.line('"ready"')) as { url: string; port: number };

describe("penstock serve", () => {
  test("says that it is ready, answers, and ends with 130 on Ctrl-C", async () => {
    const server = serve("--port", "0", "--json");
    const { url, port } = await readyEvent(server);
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/#code=[A-Za-z0-9_-]{20,}$`));
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    server.child.kill("SIGINT");
    expect((await server.ended).code).toBe(130);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });

  test("a busy port is exit 3 and names the port; who holds it is left alone", async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, "127.0.0.1", () => {
        const address = other.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      }),
    );
    const { code, stderr } = await serve("--port", String(port)).ended;
    expect(code).toBe(3);
    expect(stderr).toContain(String(port));
    expect(stderr).toContain("--port");
    expect(other.listening).toBe(true);
    other.close();
  });

  test("a second server on one workspace is refused with exit 3", async () => {
    const first = serve("--port", "0", "--json");
    await readyEvent(first);
    const second = await serve("--port", "0", "--json").ended;
    expect(second.code).toBe(3);
    expect(documentOf(second).problems[0]?.help).toContain("penstock open");
    first.child.kill("SIGTERM");
    await first.ended;
  });
});

describe("penstock open", () => {
  test("prints a fresh address that signs in once", async () => {
    const server = serve("--port", "0", "--json");
    const { port } = await readyEvent(server);
    const ended = await penstock.run(["open", "--json"]);
    expect(ended.code).toBe(0);
    const url = new URL(String(documentOf(ended)["url"]));
    const exchange = (): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/api/session`, {
        method: "POST",
        headers: { Origin: `http://127.0.0.1:${port}`, "Content-Type": "application/json" },
        body: JSON.stringify({ code: url.hash.slice("#code=".length) }),
      });
    expect((await exchange()).status).toBe(200);
    expect((await exchange()).status).toBe(403);
    server.child.kill("SIGTERM");
    await server.ended;
  });

  test("without a running designer says how to start one, exit 3", async () => {
    const { code, stderr } = await penstock.run(["open"]);
    expect(code).toBe(3);
    expect(stderr).toContain("penstock serve");
  });
});
