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
  // Root is not held to it: as root the test is nobody's.
  const root = process.getuid?.() === 0;
  const nobody = ["setpriv", "--reuid=65534", "--clear-groups"];
  const limits = { processes: tasksOfUser(root ? 65534 : undefined) + 8 };
  const script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 3 > /dev/null 2>&1 & done; echo all";
  const command = withLimits([...(root ? nobody : []), "sh", "-c", script], limits);
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
