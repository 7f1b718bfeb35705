import { spawn, spawnSync } from "node:child_process";
import dns from "node:dns";
import { closeSync, fstatSync, openSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { AuditLog } from "./session/audit.js";
import { LIMITS } from "./http/limits.js";
import { listServers } from "./serverRegistry.js";
import { idleToolchain, TestServer } from "./testing/testServer.js";
import type { Toolchain } from "./projects/toolchain.js";
import { until } from "./testing/until.js";

test("row 16: a busy port is named and the other process is left alone", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const root = await mkdtemp(join(tmpdir(), "penstock-busy-"));
  await expect(TestServer.start({ root, port })).rejects.toMatchObject({
    code: "EADDRINUSE",
    message: expect.stringContaining(String(port)),
  });
  expect(other.listening).toBe(true);
  // The workspace was given back: a second try on another port works.
  const server = await TestServer.start({ root });
  await server.stop();
  other.close();
});

// A container may have no IPv6.
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);
const localhosts: [address: string, name: string][] = [["127.0.0.1", "127.0.0.1"]];
if (hasIpv6) localhosts.push(["::1", "[::1]"]);
test.each(localhosts)("says the address that it listens at where localhost is %s", async (address, name) => {
  const lookup = vi.spyOn(dns, "lookup") as unknown as { mockImplementation(fake: unknown): void };
  const found = (...args: unknown[]): void =>
    (args.at(-1) as (error: null, address: string, family: number) => void)(
      null,
      address,
      address.includes(":") ? 6 : 4,
    );
  lookup.mockImplementation(found);
  onTestFinished(() => void vi.restoreAllMocks());
  const started = await TestServer.start({ host: "localhost" });
  onTestFinished(() => started.stop());
  const { server } = started;
  const origin = `http://${name}:${server.port}`;
  expect(server.url).toBe(origin);
  expect(new URL(server.freshUrl()).origin).toBe(origin);
  expect(await listServers()).toMatchObject([{ url: origin }]);
  vi.restoreAllMocks();
  // It is called that by whoever opens it.
  const code = new URL(server.freshUrl()).hash.slice("#code=".length);
  const headers = { Origin: origin, "Content-Type": "application/json" };
  const body = JSON.stringify({ code });
  expect((await fetch(`${origin}/api/session`, { method: "POST", headers, body })).status).toBe(200);
});

test("row 72: a second server on the workspace is refused with the first one's pid", async () => {
  const server = await TestServer.start();
  await expect(TestServer.start({ root: server.root })).rejects.toMatchObject({
    code: "EWORKSPACELOCKED",
    pid: process.pid,
  });
  expect((await server.raw("GET", "/healthz")).status).toBe(200);
  await server.stop();
});

test("row 71: a stale save is answered 409 with the current version, which can then be replaced", async () => {
  const server = await TestServer.start();
  const id = await server.create("mine");
  const path = `/api/projects/${id}`;
  const start = (await server.api("GET", path)).json;
  const save = (doc: string, revision: string): ReturnType<TestServer["api"]> =>
    server.api(
      "PUT",
      path,
      { topology: JSON.stringify({ penstock: 1, name: "mine", doc }), layout: start.layout },
      { "If-Match": `"${revision}"` },
    );
  const theirs = await save("theirs", start.revision);
  expect(theirs.status).toBe(200);
  const mine = await save("mine", start.revision);
  expect(mine.status).toBe(409);
  expect(mine.json).toMatchObject({
    error: { code: "conflict" },
    current: { revision: theirs.json.revision },
  });
  expect(mine.json.current.topology).toContain("theirs");
  expect((await save("mine", mine.json.current.revision)).status).toBe(200);
  expect((await server.api("PUT", path, { topology: "{}", layout: start.layout })).status).toBe(428);
  await server.stop();
});

/** A tab that comes back whenever it is closed, as the designer's page does; resolves with why, when it cannot. */
function stubbornTab(server: TestServer): { opened: Promise<void>; closes: number[]; gone: Promise<void> } {
  const closes: number[] = [];
  let tell = (): void => undefined;
  const opened = new Promise<void>((resolve) => (tell = resolve));
  const gone = new Promise<void>((resolve) => {
    const open = (): void => {
      const { host } = server;
      const protocols = ["penstock", `token.${server.server.token}`];
      const socket = new WebSocket(`ws://${host}/api/socket`, protocols, { origin: `http://${host}` });
      socket.on("open", tell);
      let refused = false;
      socket.on("error", () => (refused = true));
      socket.on("close", (code) => {
        closes.push(code);
        if (refused) resolve();
        else open();
      });
    };
    open();
  });
  return { opened, closes, gone };
}

test("should end although a tab comes back at once, a client says nothing and a build does not end", async () => {
  let begun = (): void => undefined;
  const generating = new Promise<void>((resolve) => (begun = resolve));
  const endless: Toolchain = {
    ...idleToolchain,
    generate: () => {
      begun();
      return new Promise(() => undefined);
    },
  };
  const server = await TestServer.start({ toolchain: endless, stopWithinMs: 100 });
  const project = await server.create("mine");
  const tab = stubbornTab(server);
  const silent = connect(server.server.port, "127.0.0.1");
  const silentGone = new Promise((resolve) => silent.once("close", resolve));
  silent.on("error", () => undefined);
  silent.write("GET /healthz HTTP/1.1\r\nHost:");
  await tab.opened;
  expect((await server.api("POST", `/api/projects/${project}/build`, {})).status).toBe(200);
  await generating;
  await server.server.close();
  await Promise.all([tab.gone, silentGone]);
  expect(tab.closes[0]).toBe(1001);
  // The workspace was given back.
  const next = await TestServer.start({ root: server.root });
  await next.stop();
});

test("should refuse addresses that would need TLS", async () => {
  await expect(TestServer.start({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "EHOSTREFUSED" });
});

test("should keep its token in one file of the user's, outside the workspace, and remove it", async () => {
  const server = await TestServer.start();
  const folder = join(server.root, "state", "penstock", "servers");
  const [name] = await readdir(folder);
  expect((await stat(join(folder, name ?? ""))).mode & 0o777).toBe(0o600);
  expect(await listServers()).toMatchObject([{ url: server.server.url, token: server.server.token }]);
  const search = spawnSync("grep", ["-rlF", "-e", server.server.token, server.workspace]);
  expect([search.status, String(search.stdout)]).toEqual([1, ""]);
  await server.server.close();
  expect(await listServers()).toEqual([]);
  await server.stop();
});

test("should rotate its audit log at 5 MB and count refusals beyond the limit only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "penstock-audit-"));
  const audit = new AuditLog(folder);
  for (let count = 0; count < 10_000; count++)
    audit.refusal("GET", "/api/status?token=secret", 403, "origin");
  audit.close();
  const lines = (await readFile(audit.path, "utf8")).trim().split("\n");
  expect(lines).toHaveLength(LIMITS.auditRefusalsPerMinute + 1);
  expect(lines.join("\n")).not.toContain("secret");
  const large = new AuditLog(folder);
  for (let count = 0; count < 60_000; count++) large.record({ what: "x".repeat(100), result: "ok" });
  large.close();
  expect((await stat(audit.path)).size).toBeLessThanOrEqual(LIMITS.auditBytes);
  expect((await readdir(folder)).sort()).toEqual(["audit.jsonl", "audit.jsonl.1"]);
  // Where the old one cannot be put aside, nothing more is written, and nobody else's file is closed.
  const stuck = new AuditLog(folder);
  await rm(`${audit.path}.1`);
  await mkdir(join(`${audit.path}.1`, "in-the-way"), { recursive: true });
  for (let count = 0; count < 60_000; count++) stuck.record({ what: "y".repeat(100), result: "ok" });
  const held = openSync(audit.path, "r");
  stuck.record({ what: "last", result: "ok" });
  expect(fstatSync(held).size).toBeLessThanOrEqual(LIMITS.auditBytes);
  closeSync(held);
  stuck.close();
  await rm(folder, { recursive: true });
});

test("row 78: with no file descriptor left the server lives on and serves again when there are", async () => {
  const root = await mkdtemp(join(tmpdir(), "penstock-fds-"));
  const main = fileURLToPath(new URL("../../bin/penstock.mjs", import.meta.url));
  const serve = [main, "serve", "--workspace", join(root, "workspace"), "--port", "0", "--no-open"];
  const limited = ["--nofile=160:160", "--", process.execPath, ...serve];
  const child = spawn("prlimit", limited, {
    env: { ...process.env, XDG_STATE_HOME: join(root, "state") },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += String(chunk)));
  const url = await until("it listens", () => /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
  const port = Number(url);
  // One that waits for a descriptor is asked again; no answer comes late, however slow the machine is.
  const health = async (): Promise<number> =>
    (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2000) })).status;
  const serves = (): Promise<number> => health().catch(() => 0);
  expect(await until("it serves", serves)).toBe(200);
  const sockets: Socket[] = [];
  for (let count = 0; count < 500; count++) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    sockets.push(socket);
  }
  await until("some are refused", () => sockets.some((socket) => socket.closed));
  expect(child.exitCode).toBeNull();
  for (const socket of sockets) socket.destroy();
  expect(await until("it serves again", serves)).toBe(200);
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
  await rm(root, { recursive: true, force: true });
});
