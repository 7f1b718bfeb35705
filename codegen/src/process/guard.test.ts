import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { processStartTime } from "./identity.js";

const tsx = fileURLToPath(new URL("../../../node_modules/tsx/dist/loader.mjs", import.meta.url));
const group = fileURLToPath(new URL("group.ts", import.meta.url));

test("row 6: children and grandchildren die when their server is killed", async () => {
  const script = `
    const { spawnGroup } = await import(${JSON.stringify(group)});
    const shell = "sleep 1000 & echo $$ $!; wait";
    const { child } = await spawnGroup("/bin/sh", ["-c", shell], { stdio: ["ignore", "inherit", "inherit"] });
    setInterval(() => child, 1000);
  `;
  const server = spawn(process.execPath, ["--import", tsx, "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pids = await new Promise<number[]>((resolve) => {
    server.stdout.once("data", (data) => resolve(String(data).trim().split(" ").map(Number)));
  });
  expect(pids.every((pid) => processStartTime(pid) !== null)).toBe(true);
  server.kill("SIGKILL");
  const deadline = performance.now() + 120_000;
  while (pids.some((pid) => processStartTime(pid) !== null) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(pids.map((pid) => processStartTime(pid))).toEqual([null, null]);
});
