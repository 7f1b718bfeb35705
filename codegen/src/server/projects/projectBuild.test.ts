import { expect, test } from "vitest";
import { idleToolchain } from "../testing/testServer.js";
import { BuildSlot, ProjectBuild } from "./projectBuild.js";
import type { RunnersContext } from "./runnersContext.js";

test("should say that a build has ended when the next one may begin, and not before", async () => {
  const slot = new BuildSlot();
  const told: string[] = [];
  const context = {
    publish: (message: { type: string; status?: { phase: string } }) => {
      if (message.type !== "build") return;
      told.push(message.status!.phase);
      if (message.status!.phase === "failed") slot.take("another", "built");
    },
    toolchain: { ...idleToolchain, generate: async () => ({ ...ANSWER, ok: false }) },
    workspace: { changing: <T>(task: () => Promise<T>) => task() },
  } as unknown as RunnersContext;
  const build = new ProjectBuild({ id: "mine", name: "mine", folder: "/nowhere" }, context, slot);
  expect(await build.start("release")).toBe(false);
  expect([told, build.status.phase, build.isRunning]).toEqual([["generating", "failed"], "failed", false]);
});

const ANSWER = { problems: [], written: [], unchanged: 0, removed: [], milliseconds: 1 };
