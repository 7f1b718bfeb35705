import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { tasksOfUser, withLimits } from "./limits.js";

const table = (processes: string) =>
  [
    "Limit                     Soft Limit           Hard Limit           Units",
    `Max processes             512                  ${processes}                 processes`,
    "Max address space         unlimited            unlimited            bytes",
  ].join("\n");

test("asks for no more processes than this one may have, as in a container", () => {
  const limits = { processes: 4096, memoryBytes: 1e9 };
  expect(withLimits(["true"], limits, table("1024"))).toContain("--nproc=1024");
  expect(withLimits(["true"], limits, table("unlimited"))).toEqual(
    expect.arrayContaining(["--nproc=4096", "--as=1000000000", "true"]),
  );
});

test("row 15: where the kernel holds a user to it, a fork beyond the limit fails and the rest goes on", () => {
  // Root is not held to it: as root the test is somebody's whom nobody else is.
  const other = process.getuid?.() === 0 ? 100_000 + process.pid : undefined;
  const become = other === undefined ? [] : ["setpriv", `--reuid=${other}`, "--clear-groups"];
  const limits = { processes: tasksOfUser(other) + 8 };
  // Many more, as processes of this user's may end meanwhile.
  const script = "i=0; while [ $i -lt 500 ]; do sleep 3 > /dev/null 2>&1 & i=$((i + 1)); done; echo all";
  const command = withLimits([...become, "sh", "-c", script], limits);
  const { status, stdout, stderr } = spawnSync(command[0] as string, command.slice(1), {
    encoding: "utf8",
  });
  expect(status).not.toBe(0);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/cannot fork/i);
});

test("counts the processes and threads of a user", () => {
  expect(tasksOfUser()).toBeGreaterThanOrEqual(readdirSync("/proc/self/task").length);
  expect(tasksOfUser(4_000_000_000)).toBe(0);
});
