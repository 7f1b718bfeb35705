import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { until } from "../support/build.js";
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

  test("opens a project by its name, and knows near ones", async () => {
    const server = serve("--port", "0", "--json");
    const { port } = await readyEvent(server);
    await penstock.run(["init", path.join(penstock.folder, "flows", "first"), "--empty"]);
    const ended = await penstock.run(["open", "--project", "first", "--json"]);
    expect(String(documentOf(ended)["url"])).toMatch(
      new RegExp(`^http://127\\.0\\.0\\.1:${port}/\\?project=[\\w-]+#code=`),
    );
    const wrong = await penstock.run(["open", "--project", "frist"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("Did you mean first?")]);
    server.child.kill("SIGTERM");
    await server.ended;
  });

  test("tells the browser a file that only its owner can read, and nobody the code", async () => {
    const bin = path.join(penstock.folder, "bin");
    mkdirSync(bin);
    const seen = path.join(penstock.folder, "seen");
    // What /proc shows of a browser's start: its arguments and its environment.
    const words = [
      "#!/bin/sh",
      `{ cat /proc/$$/cmdline /proc/$$/environ; } > ${seen}.new`,
      `mv ${seen}.new ${seen}`,
    ];
    writeFileSync(path.join(bin, "xdg-open"), `${words.join("\n")}\n`, { mode: 0o755 });
    const server = serve("--port", "0", "--json");
    const { port } = await readyEvent(server);
    const env = { DISPLAY: ":99", PATH: `${bin}:${process.env["PATH"]}` };
    const ended = await penstock.run(["open"], { env });
    expect(ended).toMatchObject({ code: 0, stdout: "" });
    await until("the browser was started", () => Promise.resolve(existsSync(seen)));

    const started = readFileSync(seen, "latin1");
    const page = started.split("\0").find((word) => word.endsWith(".html")) ?? "";
    expect([statSync(page).mode & 0o777, statSync(path.dirname(page)).mode & 0o777]).toEqual([0o600, 0o700]);
    const code = /#code=([\w-]+)/.exec(readFileSync(page, "utf8"))?.[1] ?? "";
    expect(code).toMatch(/^[\w-]{20,}$/);
    expect(started).not.toContain(code);
    expect(started).not.toContain("#code");

    const origin = `http://127.0.0.1:${port}`;
    const signedIn = await fetch(`${origin}/api/session`, {
      method: "POST",
      headers: { Origin: origin, "Content-Type": "application/json" },
      body: JSON.stringify({ code }),
    });
    expect([signedIn.status, existsSync(page)]).toEqual([200, false]);
    // One that nobody used goes with the server.
    await penstock.run(["open"], { env });
    const left = (): string[] => readdirSync(path.dirname(page));
    expect(left()).toHaveLength(1);
    server.child.kill("SIGTERM");
    await server.ended;
    expect(left()).toEqual([]);
  });

  test("without a running designer says how to start one, exit 3", async () => {
    const { code, stderr } = await penstock.run(["open"]);
    expect(code).toBe(3);
    expect(stderr).toContain("penstock serve");
  });
});
