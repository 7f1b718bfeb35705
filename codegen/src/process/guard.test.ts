import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { spawnGroup } from "./group.js";
import { processStartTime } from "./identity.js";

const tsx = fileURLToPath(new URL("../../../node_modules/tsx/dist/loader.mjs", import.meta.url));
const group = fileURLToPath(new URL("./group.ts", import.meta.url));

/** A server that starts `shell` in a group, and another one at SIGUSR2; `options` are those of spawnGroup, as text. */
function startServer(shell: string, options: string): ChildProcess {
  const script = `
    const { writeSync } = await import("node:fs");
    const { spawnGroup } = await import(${JSON.stringify(group)});
    const start = () => spawnGroup("/bin/sh", ["-c", ${JSON.stringify(shell)}], ${options});
    process.on("SIGUSR2", start);
    await start();
    setInterval(() => undefined, 1000);
  `;
  const server = spawn(process.execPath, ["--import", tsx, "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  return server;
}

/** The process ids in the first line of a server's output. */
const firstPids = (server: ChildProcess): Promise<number[]> =>
  new Promise((resolve) => {
    server.stdout?.once("data", (data) => resolve(String(data).trim().split(" ").map(Number)));
  });

/** Its arguments; "" of one that has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** This process does nothing for so long, as on a machine that has no time for it. */
const standStill = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** Waits until none of them lives. */
async function allGone(pids: number[]): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (pids.some((pid) => processStartTime(pid) !== null) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(pids.map((pid) => processStartTime(pid))).toEqual(pids.map(() => null));
}

test("row 6: children and grandchildren die when their server is killed", async () => {
  const server = startServer("sleep 1000 & echo $$ $!; wait", '{ stdio: ["ignore", "inherit", "inherit"] }');
  const pids = await firstPids(server);
  expect(pids.every((pid) => processStartTime(pid) !== null)).toBe(true);
  server.kill("SIGKILL");
  await allGone(pids);
});

test.each(["spawned", "guarded"])(
  "row 6: a child whose server is killed when it is %s has run nothing and is gone",
  async (step) => {
    const folder = mkdtempSync(join(tmpdir(), "penstock-guard-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const marker = join(folder, "ran");
    // The server stands still at the step: whatever its child does without it is done before it is killed.
    const stop = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)";
    const server = startServer(
      `touch ${marker}; sleep 1000 & wait`,
      `{
        stdio: "ignore",
        onStep: (step, pid) => {
          if (step !== ${JSON.stringify(step)}) return;
          writeSync(1, pid + "\\n");
          ${stop};
        },
      }`,
    );
    const pids = await firstPids(server);
    expect(pids.every((pid) => processStartTime(pid) !== null)).toBe(true);
    server.kill("SIGKILL");
    await allGone(pids);
    expect(existsSync(marker)).toBe(false);
  },
);

test("row 6: a guard that was killed is replaced, and the new one knows the groups there are", async () => {
  const shell = "sleep 1000 & echo $$ $! $(cat /proc/$PPID/task/$PPID/children); wait";
  const server = startServer(shell, '{ stdio: ["ignore", "inherit", "inherit"] }');
  const [leader = 0, grandchild = 0, ...children] = await firstPids(server);
  const guard = children.find((pid) => commandOf(pid).includes("drop)")) ?? 0;
  expect(guard).toBeGreaterThan(0);
  process.kill(guard, "SIGKILL");
  await allGone([guard]);
  // Another group: when it runs, there is a guard again.
  server.kill("SIGUSR2");
  const [second = 0, another = 0] = await firstPids(server);
  server.kill("SIGKILL");
  await allGone([leader, grandchild, second, another]);
});

test("what a program said before its end is read, however long this process stands still", async () => {
  // More than is read ahead of who wants it, and no more than the program can leave behind.
  const { child, exited } = await spawnGroup("head", ["-c", "120000", "/dev/zero"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let bytes = 0;
  child.once("exit", () => {
    child.stdout?.on("data", (data: Buffer) => (bytes += data.length));
    standStill(1_000);
  });
  await exited;
  expect(bytes).toBe(120_000);
});

test("a program that is not there is refused, as without a guard, and arguments come through as they are", async () => {
  await expect(spawnGroup("/nowhere/at-all", [], { stdio: "ignore" })).rejects.toMatchObject({
    code: "ENOENT",
  });
  await expect(spawnGroup("nowhere-at-all", [], { stdio: "ignore" })).rejects.toMatchObject({
    code: "ENOENT",
  });
  const args = ["-c", 'printf "%s|" "$@"; exit 7', "sh", "two words", "$HOME", "'\"", ""];
  const started = await spawnGroup("sh", args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  started.child.stdout?.on("data", (data) => (text += String(data)));
  expect(await started.exited).toEqual({ code: 7, signal: null });
  expect(text).toBe("two words|$HOME|'\"||");
});
