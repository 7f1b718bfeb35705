import { expect, test } from "vitest";
import { idleToolchain } from "../testing/testServer.js";
import { ProjectBench } from "./projectBench.js";
import { BuildSlot, ProjectBuild } from "./projectBuild.js";
import type { RunnersContext } from "./runnersContext.js";

const REFUSED = { ok: false, problems: [], written: [], unchanged: 0, removed: [], milliseconds: 1 };
const PROJECT = { id: "mine", name: "mine", folder: "/nowhere" };

/** Whoever is told that it failed begins the next one at once, on `slot`. */
const impatient = (slot: BuildSlot, told: string[]): RunnersContext =>
  ({
    publish: (message: { type: string; status?: { phase: string } }) => {
      if (message.status === undefined) return;
      told.push(`${message.type} ${message.status.phase}`);
      if (message.status.phase === "failed") slot.take("another", "built");
    },
    toolchain: { ...idleToolchain, generate: async () => REFUSED },
    workspace: { changing: <T>(task: () => Promise<T>) => task() },
  }) as unknown as RunnersContext;

test("should say that a build has ended when the next one may begin, and not before", async () => {
  const slot = new BuildSlot();
  const told: string[] = [];
  const build = new ProjectBuild(PROJECT, impatient(slot, told), slot);
  expect(await build.start("release")).toBe(false);
  expect(told).toEqual(["build generating", "build failed"]);
  expect([build.status.phase, build.isRunning]).toEqual(["failed", false]);
});

test("should say so of a measurement, too", async () => {
  const slot = new BuildSlot();
  const told: string[] = [];
  const bench = new ProjectBench(PROJECT, impatient(slot, told), slot, async () => REFUSED);
  await bench.start(undefined);
  expect(told).toEqual(["bench generating", "bench failed"]);
  expect([bench.now().phase, await bench.cancel()]).toEqual(["failed", false]);
});
