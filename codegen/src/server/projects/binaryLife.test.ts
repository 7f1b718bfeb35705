import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveSample, LiveSchema } from "../../contract/index.js";
import type { Problem } from "../../model/diagnostics/index.js";
import { FlowDriver } from "../../load/index.js";
import { LoadNotes, LogBook } from "../../run/index.js";
import { makeFake, MODULES } from "../../run/testing/makeFake.js";
import { BinaryLife } from "./binaryLife.js";

let folder: string;
let life: BinaryLife;
let samples: LiveSample[];
let schemas: LiveSchema[];
let words: string[];
let problems: (Problem | null)[];
let onStatus: () => void;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "penstock-life-"));
  process.env["XDG_STATE_HOME"] = join(folder, "state");
  [samples, schemas, words, problems] = [[], [], [], []];
  onStatus = () => undefined;
});
afterEach(async () => {
  await life.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(
  replicas: number,
  config: Record<string, unknown> = {},
): Promise<{ executable: string; config: string }> {
  const good = await makeFake(folder, config);
  life = await BinaryLife.start(
    {
      projectDir: folder,
      binary: "app",
      replicas,
      good,
      relaxPins: false,
      env: {},
      logs: new LogBook(),
      patience: 60,
    },
    {
      status: () => onStatus(),
      problem: (problem) => problems.push(problem),
      schema: (schema) => schemas.push(schema),
      sample: (_, sample) => samples.push(sample),
      lost: () => undefined,
      preset: (text) => words.push(text),
    },
  );
  return good;
}
const patient = { timeout: 600_000, interval: 20 };
const processes = () => life.status.processes ?? [];
const all = (state: string): boolean => processes().every((one) => one.state === state);
const threads = (): number | undefined => schemas.at(-1)?.pools[0]?.threads.length;

test("two processes are one binary: its figures are their sum, and go on when one is killed", async () => {
  await start(2);
  await vi.waitUntil(() => samples.at(-1)?.process.processes === 2, patient);
  expect(life.status).toMatchObject({ state: "running", detail: "" });
  expect(processes().map(({ name }) => name)).toEqual(["app", "app.2"]);
  await life.connection?.command("pool.resize", { pool: "front", threads: 5 });
  await vi.waitUntil(() => threads() === 5, patient);

  const first = processes()[0]?.pid ?? 0;
  process.kill(first, "SIGKILL");
  await vi.waitUntil(() => life.status.restarts === 1 && all("running"), patient);
  // Brought to what the other one was set to meanwhile: a pool is as large in both.
  await vi.waitUntil(() => samples.at(-1)?.pools[0]?.[3] === 10, patient);
  const requests = samples.map(({ services }) => services[0]?.[1] ?? 0);
  expect(requests).toEqual(requests.toSorted((a, b) => a - b));
  const times = samples.map(({ t }) => t);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  await life.stop();
  expect(life).toMatchObject({ isAlive: false, schema: null, lastSample: null });
});

test("what was changed live outlasts a crash of the only process, and is said", async () => {
  await start(1, { capacity: 1000 });
  await vi.waitUntil(() => threads() === 2, patient);
  await life.connection?.command("source.set", { flow: "Events", perSecond: 40 });
  await life.connection?.command("pool.resize", { pool: "front", threads: 5 });
  await vi.waitUntil(() => threads() === 5, patient);

  process.kill(life.status.pid ?? 0, "SIGKILL");
  await vi.waitUntil(() => life.status.restarts === 1 && words.length > 0, patient);
  expect(words).toEqual(["app was changed live before: front: 2 → 5 threads; Events: 100/s → 40/s"]);
  await vi.waitUntil(() => threads() === 5, patient);
});

/** Puts another rate on the flow of all processes, as a load does that then finds the binary gone. */
async function load(perSecond: number): Promise<void> {
  const notes = new LoadNotes(folder, ({ binary }) => binary === "app");
  const { connection } = life;
  const driver = new FlowDriver(connection!, "Events", 60, notes);
  await driver.begin();
  await driver.second(perSecond);
}

test("the rate under which a load broke the only process is no live change: it gets the one back that the load found", async () => {
  await start(1, { capacity: 1000 });
  await vi.waitUntil(() => threads() === 2, patient);
  await life.connection?.command("source.set", { flow: "Events", perSecond: 40 });
  await load(5000);
  await vi.waitUntil(() => schemas.at(-1)?.flows[0]?.source.perSecond === 5000, patient);
  for (const restarts of [1, 2]) {
    process.kill(life.status.pid ?? 0, "SIGKILL");
    await vi.waitUntil(() => life.status.restarts === restarts && words.length === restarts, patient);
    expect(words.at(-1)).toBe("app was changed live before: Events: 100/s → 40/s");
    await vi.waitUntil(() => schemas.at(-1)?.flows[0]?.source.perSecond === 40, patient);
  }
});

test("the rate of a load that goes on in another process is not that of one which is started anew", async () => {
  await start(2, { capacity: 1000 });
  await vi.waitUntil(() => samples.at(-1)?.process.processes === 2, patient);
  await load(5000);
  await life.connection?.command("pool.resize", { pool: "front", threads: 5 });
  await vi.waitUntil(() => threads() === 5, patient);
  process.kill(processes()[1]?.pid ?? 0, "SIGKILL");
  await vi.waitUntil(() => words.length > 0, patient);
  expect(words).toEqual(["app.2 was changed live before: front: 2 → 5 threads"]);
});

test("a preset is in force in all of them, and in one that is started anew", async () => {
  await start(2);
  await life.usePreset({ name: "night", pools: [{ name: "front", threads: [{}, {}, {}] }], joins: [] });
  await vi.waitUntil(() => samples.at(-1)?.pools[0]?.[3] === 6, patient);
  process.kill(processes()[1]?.pid ?? 0, "SIGKILL");
  await vi.waitUntil(() => life.status.restarts === 1 && all("running"), patient);
  await vi.waitUntil(() => samples.at(-1)?.pools[0]?.[3] === 6, patient);
  expect(problems.filter((one) => one !== null)).toEqual([]);
});

test("the end of a process while it is asked for a preset is no refusal that stops the others", async () => {
  await start(2);
  await vi.waitUntil(() => all("running") && life.connection !== null, patient);
  await vi.waitUntil(() => samples.at(-1)?.process.processes === 2, patient);
  // It can answer nothing any more, and then ends.
  const second = processes()[1]?.pid ?? 0;
  process.kill(second, "SIGSTOP");
  const asked = life.usePreset({
    name: "night",
    pools: [{ name: "front", threads: [{}, {}, {}] }],
    joins: [],
  });
  process.kill(second, "SIGKILL");
  await asked;
  await vi.waitUntil(() => life.status.restarts === 1 && all("running"), patient);
  await vi.waitUntil(() => samples.at(-1)?.pools[0]?.[3] === 6, patient);
  expect(problems.filter((one) => one !== null)).toEqual([]);
});

test("what was stopped or has failed for good has no part in figures and rates, what crashed has", async () => {
  const good = await start(3, { capacity: 1000 });
  const asked = () => schemas.at(-1)?.flows[0]?.source.perSecond;
  const answering = () => life.connection?.each() ?? [];
  const state = (at: number) => processes()[at]?.state;
  /** What each has that answers, when so much is asked of all. */
  const each = async (perSecond: number): Promise<(number | null | undefined)[]> => {
    await life.connection?.command("source.set", { flow: "Events", perSecond });
    const { length } = schemas;
    await life.connection?.command("pool.resize", { pool: "front", threads: 1 });
    await vi.waitUntil(() => schemas.length > length, patient);
    return answering().map(([, live]) => live.schema?.flows[0]?.source.perSecond);
  };
  await vi.waitUntil(() => answering().length === 3, patient);
  expect(asked()).toBe(300);

  process.kill(processes()[1]?.pid ?? 0, "SIGTERM");
  await vi.waitUntil(() => state(1) === "stopped", patient);
  expect(asked()).toBe(200);
  await vi.waitUntil(() => answering().length === 2, patient);
  expect(await each(300)).toEqual([150, 150]);

  // Started again it is refused: a crash alone takes nothing from the count.
  const counted = new Map<string | undefined, number | null | undefined>();
  onStatus = () => counted.set(state(2), asked());
  await writeFile(good.config, JSON.stringify({ binary: "app", modules: MODULES, exitAtOnce: 78 }));
  process.kill(processes()[2]?.pid ?? 0, "SIGKILL");
  await vi.waitUntil(() => state(2) === "failed", patient);
  expect(Object.fromEntries(counted)).toEqual({ crashed: 300, restarting: 300, failed: 150 });
  expect(await each(300)).toEqual([300]);
});

test("runs on only as so many processes of the same build", async () => {
  const good = await start(2);
  await vi.waitUntil(() => all("running"), patient);
  const origin = { projectDir: folder, binary: "app", good, relaxPins: false, env: {} };
  expect(await life.runs(origin, 2)).toBe(true);
  expect(await life.runs(origin, 3)).toBe(false);
  expect(await life.runs({ ...origin, relaxPins: true }, 2)).toBe(false);
});
