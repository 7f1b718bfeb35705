import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LoadNotes } from "./loadNotes.js";
import { listRunning, registerBinary, takeFound, unregisterBinary } from "./registry.js";
import { stopRunning } from "../stopRunning.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "penstock-registry-"));
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const notes = (): Promise<string[]> => readdir(join(folder, "state", "penstock", "binaries"));

const about = (pid: number) => ({
  project: folder,
  binary: "app",
  replica: 1,
  pid,
  group: pid,
  control: "127.0.0.1:1",
  http: null,
  token: "a-token",
  detached: true,
  startedAtMs: 0,
});

test("a look that removes the note of a dead process leaves that of the one in its place", async () => {
  const { pid: dead } = spawnSync("true");
  await registerBinary(about(dead));
  await registerBinary(about(process.pid));
  // Whoever has read the old one removes that file, whenever it comes to it.
  expect(await notes()).toHaveLength(2);
  expect(await listRunning(folder)).toMatchObject([{ binary: "app", pid: process.pid }]);
  expect(await notes()).toHaveLength(1);
});

test("what a load found in a process is there for who sees its end, unless the load gave it back", async () => {
  await registerBinary(about(process.pid));
  const loads = new LoadNotes(folder, ({ binary }) => binary === "app");
  const others = new LoadNotes(folder, ({ binary }) => binary === "other");
  await loads.note("Ticks", 40);
  await loads.note("Tocks", 7);
  await others.note("Ticks", 1);
  await loads.forget("Tocks");
  await unregisterBinary(folder, "app", process.pid);
  expect(await takeFound(folder, "app", process.pid)).toEqual({ Ticks: 40 });
  expect(await takeFound(folder, "app", process.pid)).toEqual({});
  expect(await notes()).toEqual([]);
  await registerBinary(about(process.pid));
  await loads.note("Ticks", 40);
  await loads.forget("Ticks");
  expect(await notes()).toHaveLength(1);
});

test("a stop whose supervisor has gone leaves nothing behind", async () => {
  const registry = fileURLToPath(new URL("./registry.ts", import.meta.url));
  const start = `import { spawn } from "node:child_process";
    import { registerBinary } from ${JSON.stringify(registry)};
    const { pid } = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    await registerBinary({ ...${JSON.stringify(about(0))}, pid, group: pid });
    process.exit();`;
  spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", start]);
  const [entry] = await listRunning(folder);
  await new LoadNotes(folder, () => true).note("Ticks", 40);
  expect(await notes()).toHaveLength(2);
  expect(entry && (await stopRunning(entry, 600_000))).toBe(true);
  expect(await notes()).toEqual([]);
});
