import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { membersOf, processStartTime, sandboxObstacle } from "../process/index.js";
import type { Problem } from "../model/diagnostics/index.js";
import { readReadyLine } from "./output/readyLine.js";
import { listRunning } from "./running/registry.js";
import { stopRunning } from "./stopRunning.js";
import { RestartPolicy } from "./restartPolicy.js";
import { Supervisor, type SupervisorOptions } from "./supervisor.js";
import { makeFake } from "./testing/makeFake.js";

let folder: string;
const supervisors: Supervisor[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "penstock-run-"));
  process.env["XDG_STATE_HOME"] = join(folder, "state");
});
afterEach(async () => {
  await Promise.all(supervisors.splice(0).map((supervisor) => supervisor.stop()));
  await rm(folder, { recursive: true, force: true });
});

/** Starts the fake; `seen` gathers every state with its detail. */
async function supervise(
  config: Record<string, unknown>,
  options: Partial<SupervisorOptions> = {},
): Promise<{ supervisor: Supervisor; seen: string[]; problems: Problem[] }> {
  const fake = await makeFake(folder, config);
  const supervisor = new Supervisor({ projectDir: folder, binary: "app", ...fake, ...options });
  supervisors.push(supervisor);
  const seen: string[] = [];
  const problems: Problem[] = [];
  supervisor.on("status", ({ state, detail }) => seen.push(`${state} ${detail}`.trim()));
  supervisor.on("problem", (problem) => problem && problems.push(problem));
  supervisor.start();
  return { supervisor, seen, problems };
}

/** For what is to end by itself, whatever the machine does meanwhile. */
const patient = { stopGraceMs: 600_000 };

const ready = (supervisor: Supervisor): Promise<unknown> =>
  new Promise((resolve) => supervisor.once("ready", resolve));

test("row 1: a killed binary shows how it crashed, its last log and the restart, and runs again", async () => {
  const { supervisor, seen } = await supervise({ say: "hello from the binary" });
  await ready(supervisor);
  const first = supervisor.status.pid as number;
  process.kill(first, "SIGKILL");
  await ready(supervisor);
  expect(seen).toContain("crashed crashed (SIGKILL)");
  expect(supervisor.status).toMatchObject({ state: "running", restarts: 1 });
  expect(supervisor.status.pid).not.toBe(first);
  const lines = supervisor.logs.lines("app").map(({ text }) => text);
  expect(lines).toEqual(expect.arrayContaining(["hello from the binary", "crashed (SIGKILL)"]));
  const bad = supervisor.logs.lines("app").filter(({ severity }) => severity === "error");
  expect(bad.map(({ text }) => text)).toEqual(["crashed (SIGKILL)"]);
});

test("says that requests come over TLS, as its configuration was when it was started", async () => {
  const { supervisor } = await supervise({ http: { address: "127.0.0.1:0", tls: "keys" } });
  await ready(supervisor);
  expect(supervisor.status.tls).toBe(true);
  await supervisor.stop();
  await makeFake(folder, { http: { address: "127.0.0.1:0", tls: "off" } });
  expect(supervisor.status).not.toHaveProperty("tls");
  supervisor.start();
  await ready(supervisor);
  expect(supervisor.status).not.toHaveProperty("tls");
});

test("a binary is ready once: what it says of itself later is output as any other", async () => {
  const said = JSON.stringify({ event: "ready", binary: "app", pid: 1, control: "127.0.0.1:9" });
  const { supervisor } = await supervise({ say: `${said}\n${said}` });
  await ready(supervisor);
  const lines = () => supervisor.logs.lines("app").map(({ text }) => text);
  await expect.poll(lines, { timeout: 600_000 }).toContain(said);
});

test("row 1: a crash is one too where the binary could not be noted for the command line", async () => {
  const { supervisor } = await supervise({});
  await ready(supervisor);
  await supervisor.stop();
  // Something else has its name.
  const notes = join(folder, "state", "penstock", "binaries");
  await rm(notes, { recursive: true });
  await writeFile(notes, "");
  supervisor.start();
  await ready(supervisor);
  process.kill(supervisor.status.pid as number, "SIGKILL");
  await ready(supervisor);
  expect(supervisor.status).toMatchObject({ state: "running", restarts: 1 });
});

test("row 1: a crash is one too when somebody else sees the dead process before its supervisor does", async () => {
  const { supervisor, seen } = await supervise({});
  await ready(supervisor);
  const first = supervisor.status.pid as number;
  const registry = fileURLToPath(new URL("./running/registry.ts", import.meta.url));
  // While it runs nothing else happens here: no end of a process is seen.
  const look = `import { readFileSync } from "node:fs";
    import { listRunning } from ${JSON.stringify(registry)};
    process.kill(${first}, "SIGKILL");
    while (!/\\) Z /.test(readFileSync("/proc/${first}/stat", "utf8")));
    console.log(JSON.stringify(await listRunning()));`;
  const listed = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", look], {
    encoding: "utf8",
  });
  expect(listed.stdout, listed.stderr).toBe("[]\n");
  await Promise.race([ready(supervisor), supervisor.ended()]);
  expect(seen).toContain("crashed crashed (SIGKILL)");
  expect(supervisor.status).toMatchObject({ state: "running", restarts: 1 });
});

test("row 2: a crash loop ends after three crashes in 30 s, and the logs stay", async () => {
  // By a clock that stands still: a busy machine takes longer for three.
  const { supervisor, seen, problems } = await supervise(
    { crashWhenReady: "SIGSEGV", say: "about to fall" },
    { policy: new RestartPolicy(() => 0) },
  );
  await supervisor.ended();
  expect(supervisor.status.state).toBe("failed");
  expect(supervisor.status.detail).toContain("failed: 3 crashes in 30 s");
  expect(seen.filter((line) => line === "crashed crashed (SIGSEGV)")).toHaveLength(3);
  expect(problems).toMatchObject([{ code: "PS877", node: "binary:app" }]);
  expect(supervisor.logs.lines("app").filter(({ text }) => text === "about to fall")).toHaveLength(3);
});

test("should take the third crash within 30 s for the last, and none that comes later", () => {
  let now = 0;
  const policy = new RestartPolicy(() => now);
  expect([policy.crashed(), policy.crashed(), policy.crashed()]).toEqual([200, 400, null]);
  now = 30_000;
  expect(policy.crashed()).toBe(200);
});

test("row 15: a fork bomb is killed as a whole at the process limit, and not started again", async () => {
  const { supervisor, problems } = await supervise({ generations: 10 });
  await ready(supervisor);
  const group = supervisor.status.pid as number;
  await supervisor.ended();
  expect(supervisor.status).toMatchObject({
    state: "failed",
    detail: expect.stringMatching(/^process limit: [1-9]\d{2,3} processes, more than 256$/),
    restarts: 0,
  });
  expect(problems).toMatchObject([{ code: "PS888", node: "binary:app" }]);
  await expect.poll(() => membersOf(group).length).toBe(0);
});

test("row 15: a binary whose handlers start some programs goes on", async () => {
  const { supervisor } = await supervise({ generations: 6 });
  await ready(supervisor);
  const group = supervisor.status.pid as number;
  await expect.poll(() => membersOf(group).length).toBe(64);
  await supervisor.stop();
  expect(supervisor.status).toMatchObject({ state: "stopped", restarts: 0 });
  await expect.poll(() => membersOf(group).length).toBe(0);
});

test("row 17: a busy port is named on the binary's node, without a restart", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(holder.address() as AddressInfo).port}`;
  const { supervisor, problems } = await supervise({ control: address });
  await supervisor.ended();
  expect(supervisor.status).toMatchObject({ state: "failed", restarts: 0 });
  expect(problems).toMatchObject([{ code: "PS876", node: "binary:app" }]);
  expect(problems[0]?.message).toContain(address);
  expect(holder.listening).toBe(true);
  holder.close();
});

test("should not restart a binary that refuses its configuration, and pass its reason on", async () => {
  const { supervisor, problems } = await supervise({
    exitAtOnce: 78,
    reason: "error: /pools/0/threads: CPU 9 is absent",
  });
  await supervisor.ended();
  expect(problems).toMatchObject([{ code: "PS875", node: "binary:app" }]);
  expect(supervisor.status.detail).toContain("/pools/0/threads: CPU 9 is absent");
});

test("should name a binary that refuses its configuration once", async () => {
  const reason = "app: other binaries cannot reach it: no folder";
  const { supervisor, problems } = await supervise({ exitAtOnce: 78, reason });
  await supervisor.ended();
  expect(problems).toMatchObject([
    { message: "app refused its configuration: other binaries cannot reach it: no folder" },
  ]);
});

test("should say that keys are missing, and not that the drawing is wrong", async () => {
  const reason = "/p/app.json: no keys: /my p/keys/app.key: others may read it: `chmod 600` it";
  const { supervisor, problems } = await supervise({ exitAtOnce: 78, reason });
  await supervisor.ended();
  expect(problems).toMatchObject([
    {
      code: "PS897",
      message: "app has no keys that it can use: /my p/keys/app.key: others may read it: `chmod 600` it",
    },
  ]);
});

test("should say that a token is missing, and not that the drawing is wrong", async () => {
  const reason = "/p/app.json: /http/auth: no token: PENSTOCK_HTTP_TOKEN is not set";
  const { supervisor, problems } = await supervise({ exitAtOnce: 78, reason });
  await supervisor.ended();
  expect(problems).toMatchObject([
    { code: "PS874", message: "app has no token to ask for over HTTP: PENSTOCK_HTTP_TOKEN is not set" },
  ]);
});

test("should pass on why a detached binary refused to start, whose output comes from a file", async () => {
  const reason = "error: /pools/0/threads: CPU 9 is absent";
  const { supervisor, problems } = await supervise({ exitAtOnce: 78, reason }, { detached: true });
  await supervisor.ended();
  expect(problems).toMatchObject([{ code: "PS875", message: expect.stringContaining("CPU 9 is absent") }]);
});

test("should not take a line for the ready line whose port cannot be", () => {
  const line = (control: string): string =>
    JSON.stringify({ event: "ready", binary: "app", pid: 1, control });
  expect(readReadyLine(line("127.0.0.1:65535"), "app")).toMatchObject({ control: "127.0.0.1:65535" });
  expect(readReadyLine(line("127.0.0.1:65536"), "app")).toBeNull();
});

test("should stop gently, and kill what does not stop", async () => {
  const gentle = await supervise({}, patient);
  await ready(gentle.supervisor);
  await gentle.supervisor.stop();
  expect(gentle.supervisor.status).toMatchObject({ state: "stopped", detail: "", pid: null });
  const deaf = await supervise({ ignoreTerm: true }, { stopGraceMs: 100 });
  await ready(deaf.supervisor);
  const pid = deaf.supervisor.status.pid as number;
  await deaf.supervisor.stop();
  expect(processStartTime(pid)).toBeNull();
  expect(deaf.supervisor.status.detail).toContain("killed");
});

test("should give up on a binary that never becomes ready", async () => {
  const { supervisor, problems } = await supervise({ neverReady: true }, { readyWithinMs: 300 });
  await supervisor.ended();
  expect(problems).toMatchObject([{ code: "PS880" }]);
});

test("should note a running binary with its token for this user alone, and forget it when it ends", async () => {
  const { supervisor } = await supervise({}, { token: "a-token" });
  await ready(supervisor);
  const [entry] = await listRunning(folder);
  expect(entry).toMatchObject({
    binary: "app",
    token: "a-token",
    control: supervisor.status.control,
    detached: false,
  });
  const notes = join(folder, "state", "penstock", "binaries");
  const [name] = (await import("node:fs")).readdirSync(notes);
  expect((await stat(join(notes, name ?? ""))).mode & 0o777).toBe(0o600);
  await supervisor.stop();
  expect(await listRunning(folder)).toEqual([]);
});

test("should not restart a binary that was told to stop and gave up what took too long, and say so", async () => {
  const { supervisor } = await supervise({ exitOnTerm: 75 });
  await ready(supervisor);
  process.kill(supervisor.status.pid as number, "SIGTERM");
  await supervisor.ended();
  expect(supervisor.status).toMatchObject({
    state: "stopped",
    detail: "stopped before everything had finished",
    restarts: 0,
  });
});

test("should let another process stop a binary without restarting it", async () => {
  const { supervisor } = await supervise({ ignoreTerm: true });
  await ready(supervisor);
  const [entry] = await listRunning(folder);
  expect(entry && (await stopRunning(entry, 100))).toBe(false);
  await supervisor.ended();
  expect(supervisor.status).toMatchObject({ state: "stopped", restarts: 0 });
  expect(await readdir(join(folder, "state", "penstock", "binaries"))).toEqual([]);
});

test("should leave a detached binary running, found by its note and stopped by it", async () => {
  const { supervisor } = await supervise({ say: "detached" }, { detached: true });
  await ready(supervisor);
  supervisor.release();
  const [entry] = await listRunning(folder);
  expect(entry).toMatchObject({ detached: true });
  const logs = join(folder, "state", "penstock", "logs");
  const [log] = (await import("node:fs")).readdirSync(logs);
  expect(await readFile(join(logs, log ?? ""), "utf8")).toContain("detached");
  expect(entry && (await stopRunning(entry, patient.stopGraceMs))).toBe(true);
  await supervisor.ended();
});

test("should run in a sandbox with its real pid, drained by SIGTERM and reported when killed", async () => {
  if ((await sandboxObstacle()) !== "") return;
  const modules = join(process.cwd());
  const sandbox = { readable: [folder, modules], writable: [folder], network: true };
  process.env["PENSTOCK_CONTROL_TOKEN"] = "also of another process";
  const { supervisor, seen } = await supervise({}, { ...patient, sandbox });
  delete process.env["PENSTOCK_CONTROL_TOKEN"];
  expect(supervisor.token).toMatch(/^[\w-]{43}$/);
  await ready(supervisor);
  const pid = supervisor.status.pid as number;
  expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).toContain("app.json");
  process.kill(pid, "SIGKILL");
  await ready(supervisor);
  expect(seen).toContain("crashed crashed (SIGKILL)");
  await supervisor.stop();
  expect(supervisor.status).toMatchObject({ state: "stopped", detail: "" });
});

test("row 77: more output than may be kept fills no memory, keeps the last line and leaves the binary running", async () => {
  const { supervisor } = await supervise({ flood: 256 });
  await ready(supervisor);
  global.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const last = (): boolean => supervisor.logs.lines("app").some(({ text }) => text === "the last line");
  while (!last()) await new Promise((resolve) => setTimeout(resolve, 20));
  clearInterval(timer);
  expect(supervisor.status.state).toBe("running");
  expect(supervisor.logs.lines("app").length).toBeLessThanOrEqual(2000);
  expect(peak - before).toBeLessThan(150 * 1024 * 1024);
});
