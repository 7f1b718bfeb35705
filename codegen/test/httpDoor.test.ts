import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { certifiedHosts, type Binary, type HttpDoor } from "../src/model/topology/index.js";
import { generateProject } from "../src/pipeline.js";
import { buildProject, QUICKLY, startBinary, type Running } from "./support/build.js";
import { copyExample, temporaryFolder } from "./support/project.js";
import { projectKeys } from "./support/projectKeys.js";

const TOKEN = "fedcba9876543210fedcba9876543210";
const HTTP: HttpDoor = { address: "0.0.0.0:0", auth: "bearer", tls: "keys" };

/** Runs a program; its exit code and what it printed. */
async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

describe("services over HTTP beyond this machine, asked by curl", () => {
  const folder = temporaryFolder();
  const authority = `${folder.path}/keys/ca.crt`;
  let running: Running;
  let url: string;

  /** The status, and what was answered. */
  const curl = (...args: string[]) =>
    run("curl", ["--silent", "--show-error", "--write-out", " %{http_code}", ...args]);
  const ask = (...args: string[]) =>
    curl("--header", "Content-Type: application/json", "--data", '{"a": 1, "b": 2}', ...args);
  const bearer = (token: string) => ["--header", `Authorization: Bearer ${token}`];
  const keys = () =>
    projectKeys(folder.path, "hello", "hello", certifiedHosts({ name: "hello", http: HTTP }));

  beforeAll(async () => {
    copyExample("hello", folder.path);
    const drawing = JSON.parse(readFileSync(`${folder.path}/topology.json`, "utf8")) as {
      binaries: Partial<Binary>[];
    };
    Object.assign(drawing.binaries[0]!, { http: HTTP, expose: ["Addition"] });
    writeFileSync(`${folder.path}/topology.json`, JSON.stringify(drawing));
    expect(await generateProject(folder.path)).toMatchObject({ ok: true });
    buildProject(folder.path, ["hello"], QUICKLY);
    await keys();
    running = await startBinary(folder.path, "hello", { PENSTOCK_HTTP_TOKEN: TOKEN });
    expect(running.http).toMatch(/^0\.0\.0\.0:\d+$/);
    url = `https://127.0.0.1:${running.http!.split(":")[1]}/twirp/hello.Arithmetic/Addition`;
  });
  afterAll(async () => {
    await running?.stop();
    folder[Symbol.dispose]();
  });

  test("who trusts the authority and has the token is answered, by number and by name", async () => {
    for (const address of [url, url.replace("127.0.0.1", "localhost")])
      expect(await ask("--cacert", authority, ...bearer(TOKEN), address)).toEqual({
        code: 0,
        stdout: '{"value":"3"} 200',
        stderr: "",
      });
    const old = await ask("--cacert", authority, "--tls-max", "1.2", ...bearer(TOKEN), url);
    expect(old.stdout).toBe('{"value":"3"} 200');
  });

  test("who has another token, or none, is not", async () => {
    for (const header of [[], bearer(TOKEN.slice(1)), bearer("x".repeat(8000))]) {
      const { stdout } = await ask("--cacert", authority, ...header, url);
      expect(stdout).toMatch(/^\{"code":"unauthenticated".* 401$/);
    }
  });

  test("who does not know the authority, or speaks in the clear, says nothing to it", async () => {
    expect((await ask(...bearer(TOKEN), url)).code).toBe(60);
    expect((await ask(...bearer(TOKEN), url.replace("https", "http"))).code).not.toBe(0);
  });

  test("row 80: a page of another origin is refused, whatever its name leads to", async () => {
    const page = ["--header", "Origin: https://evil.example", "--header", "Host: evil.example"];
    const { stdout } = await ask("--cacert", authority, ...bearer(TOKEN), ...page, url);
    expect(stdout).toMatch(/"Requests of web pages are refused\." *\} 403$/);
  });

  test("the token stands in no environment any more", () => {
    const environment = readFileSync(`/proc/${running.child.pid}/environ`, "latin1");
    expect(environment).not.toContain(TOKEN);
  });

  test("it may open as many files as the system lets it, whatever it is started with", async () => {
    const limits = (pid: number | "self" = "self") =>
      /^Max open files +(\d+) +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.slice(1) ?? [];
    const limit = (soft: string) => run("prlimit", [`--pid=${process.pid}`, `--nofile=${soft}:`], {});
    const [before = "", most] = limits();
    expect((await limit("1000")).code).toBe(0);
    onTestFinished(() => limit(before).then(() => undefined));
    expect(limits()).toEqual(["1000", most]);
    const few = await startBinary(folder.path, "hello", { PENSTOCK_HTTP_TOKEN: TOKEN });
    try {
      expect(limits(few.child.pid)).toEqual([most, most]);
    } finally {
      await few.stop();
    }
  });

  const starts = (env: NodeJS.ProcessEnv) =>
    run(`${folder.path}/build/release/hello`, ["--relax-pins"], { PENSTOCK_CONTROL_TOKEN: "x", ...env });

  test("without a token it does not start, nor with one that is too short", async () => {
    const none = await starts({});
    expect(none.code).toBe(78);
    expect(none.stderr).toContain("/http/auth: no token: PENSTOCK_HTTP_TOKEN is not set");
    const short = await starts({ PENSTOCK_HTTP_TOKEN: "short" });
    expect(short.code).toBe(78);
    expect(short.stderr).toContain("shorter than 16 characters");
  });

  test("a file has a token a line, each of which is taken", async () => {
    const file = `${folder.path}/tokens`;
    writeFileSync(file, `${TOKEN}\n\n0123456789abcdef\n`, { mode: 0o600 });
    const other = await startBinary(folder.path, "hello", { PENSTOCK_HTTP_TOKEN_FILE: file });
    try {
      const there = `https://localhost:${other.http!.split(":")[1]}/twirp/hello.Arithmetic/Addition`;
      for (const token of [TOKEN, "0123456789abcdef"])
        expect((await ask("--cacert", authority, ...bearer(token), there)).stdout).toMatch(/ 200$/);
    } finally {
      await other.stop();
    }
    const missing = await starts({ PENSTOCK_HTTP_TOKEN_FILE: `${file}.none` });
    expect(missing.code).toBe(78);
    expect(missing.stderr).toContain("(PENSTOCK_HTTP_TOKEN_FILE) cannot be read");
    chmodSync(file, 0o622);
    const anybodys = await starts({ PENSTOCK_HTTP_TOKEN_FILE: file });
    expect(anybodys.code).toBe(78);
    expect(anybodys.stderr).toContain("may be written by others: `chmod 600` it");
  });

  test("row 79: keys that are no good are named with what helps, and nothing is said in the clear", async () => {
    rmSync(`${folder.path}/keys/hello.crt`);
    const { code, stderr } = await starts({ PENSTOCK_HTTP_TOKEN: TOKEN });
    expect(code).toBe(78);
    expect(stderr).toMatch(/\/http\/tls: no keys: .*hello\.crt: .*`penstock keys` makes it/);
    await keys();
  });
});
