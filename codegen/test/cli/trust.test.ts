import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TrustList } from "../../src/workspace/index.js";
import { BIN, documentOf, Penstock } from "./penstock.js";

let penstock: Penstock;
let sent: string;
beforeEach(() => {
  penstock = new Penstock();
  sent = path.join(penstock.folder, "sent");
  mkdirSync(path.join(sent, "src"), { recursive: true });
  // Nothing to build, as with a binary that is not drawn: whoever gets past the question ends with 1.
  writeFileSync(path.join(sent, "topology.json"), '{"penstock":1,"name":"sent"}');
  writeFileSync(path.join(sent, "src", "handler.cpp"), "");
  writeFileSync(path.join(sent, "CMakeLists.txt"), "");
});
afterEach(() => penstock.cleanUp());

describe("a project that came from elsewhere", () => {
  test("is neither built nor measured nor run without a yes: what it holds, and exit 5", async () => {
    for (const verb of ["build", "bench", "run"]) {
      const { code, stderr } = await penstock.run([verb, sent]);
      expect([verb, code]).toEqual([verb, 5]);
      expect(stderr).toContain("0 services, 0 flows, 0 binaries, 2 files of code");
      expect(stderr).toContain("--trust");
      expect(existsSync(path.join(sent, "generated"))).toBe(false);
    }
    const ended = await penstock.run(["build", sent, "--json"]);
    expect(documentOf(ended)).toMatchObject({ ok: false, problems: [{ code: "PS995" }] });
  });

  test("is asked about once: --trust is remembered, and no word that it was made here", async () => {
    expect((await penstock.run(["build", sent, "--trust"])).code).toBe(1);
    expect((await penstock.run(["build", sent])).code).toBe(1);
    process.env["XDG_STATE_HOME"] = path.join(penstock.folder, "state");
    const list = await TrustList.ofProject(sent);
    expect([await list.isTrusted(sent), await list.isOwn(sent)]).toEqual([true, false]);
    // Another folder of that name is a stranger.
    const aside = `${sent}-aside`;
    cpSync(sent, aside, { recursive: true });
    expect((await penstock.run(["build", aside])).code).toBe(5);
  });

  test("is asked about where its drawing is larger than any, of which no more is read than a drawing has", async () => {
    truncateSync(path.join(sent, "topology.json"), 3 * 1024 ** 3);
    for (const verb of ["build", "bench"]) {
      const { code, stderr } = await penstock.run([verb, sent]);
      expect([verb, code]).toEqual([verb, 5]);
      expect(stderr).toContain("a drawing that cannot be read, 2 files of code");
    }
    const checked = await penstock.run(["validate", sent]);
    expect([checked.code, checked.stderr]).toEqual([1, expect.stringContaining("larger than 5 MB")]);
    const written = await penstock.run(["generate", sent, "--trust"]);
    expect([written.code, written.stderr]).toEqual([1, expect.stringContaining("PS715")]);
  });

  test("runs the templates of its nodes after a yes only", async () => {
    expect((await penstock.run(["generate", sent, "--dry-run"])).code).toBe(0);
    mkdirSync(path.join(sent, "nodes"));
    const asked = await penstock.run(["generate", sent, "--dry-run"]);
    expect([asked.code, asked.stderr]).toEqual([5, expect.stringContaining("nodes of its own")]);
    expect((await penstock.run(["generate", sent, "--dry-run", "--trust"])).code).toBe(0);
  });

  test.each([
    ["y\n", 1],
    ["Yes\n", 1],
    ["n\n", 5],
    ["\n", 5],
    ["\u0004", 5],
  ])("asks on a terminal: after %j it ends with %i", async (answer, code) => {
    // A terminal of its own for the child; the answer waits in it until it is asked for.
    const child = spawn("script", ["-qefc", `${process.execPath} ${BIN} build ${sent}`, "/dev/null"], {
      env: { ...process.env, XDG_STATE_HOME: path.join(penstock.folder, "state") },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    let words = "";
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      const asked = words.includes("[y/N]");
      words += String(chunk);
      if (!asked && words.includes("[y/N]")) child.stdin.write(answer);
    }
    expect(words).toContain("0 services, 0 flows, 0 binaries, 2 files of code");
    expect(await ended).toBe(code);
    child.stdin.destroy();
  });
});

describe("a project that was made here", () => {
  test("by init is not asked about", async () => {
    const mine = path.join(penstock.folder, "mine");
    expect((await penstock.run(["init", mine, "--empty"])).code).toBe(0);
    expect((await penstock.run(["build", mine, "--binary", "no-such"])).code).toBe(2);
  });

  test("by the designer is not asked about, and the server hears of a yes given here while it runs", async () => {
    const workspace = path.join(penstock.folder, "flows");
    const serving = penstock.start(["serve", "--workspace", workspace, "--port", "0", "--no-open", "--json"]);
    const { url } = JSON.parse(await serving.line('"ready"')) as { url: string };
    const { origin, hash } = new URL(url);
    const headers = { Origin: origin, "Content-Type": "application/json" };
    const post = async (route: string, body: object, token?: string): Promise<unknown> => {
      const authorized = token === undefined ? headers : { ...headers, Authorization: `Bearer ${token}` };
      const answer = await fetch(`${origin}${route}`, {
        method: "POST",
        headers: authorized,
        body: JSON.stringify(body),
      });
      return answer.json();
    };
    const { token } = (await post("/api/session", { code: hash.slice("#code=".length) })) as {
      token: string;
    };
    await post("/api/projects", { name: "drawn" }, token);
    expect((await penstock.run(["build", path.join(workspace, "drawn"), "--binary", "no-such"])).code).toBe(
      2,
    );
    cpSync(sent, path.join(workspace, "sent"), { recursive: true });
    const trusted = async (): Promise<unknown> => {
      const list = await fetch(`${origin}/api/projects`, { headers: { Authorization: `Bearer ${token}` } });
      return Object.fromEntries(
        ((await list.json()) as { name: string; trusted: boolean }[]).map((one) => [one.name, one.trusted]),
      );
    };
    expect(await trusted()).toEqual({ drawn: true, sent: false });
    await penstock.run(["build", path.join(workspace, "sent"), "--trust"]);
    expect(await trusted()).toEqual({ drawn: true, sent: true });
    serving.child.kill("SIGTERM");
    await serving.ended;
  });
});
