import { expect, test } from "vitest";
import { problem } from "../../model/diagnostics/index.js";
import type { BuildStatus } from "../../contract/index.js";
import { idleToolchain } from "../testing/testServer.js";
import { BuildSlot, ProjectBuild } from "./projectBuild.js";
import type { RunnersContext } from "./runnersContext.js";

test("what a failed build said is over with the next generation or build, what runs badly with its own end", async () => {
  const wrong = problem("PS701", "", "edited");
  const running = problem("PS851", "", "slow", { node: "binary:ads" });
  const told: BuildStatus["phase"][] = [];
  let ok = false;
  const context = {
    workspace: { changing: (work: () => unknown) => work() },
    toolchain: {
      ...idleToolchain,
      generate: async () => ({
        ...(await idleToolchain.generate("", { force: false })),
        ok,
        problems: ok ? [] : [wrong],
      }),
    },
    patience: 1,
    publish: (message: { status: BuildStatus }) => told.push(message.status.phase),
  } as unknown as RunnersContext;
  const build = new ProjectBuild({ id: "p", name: "ads", folder: "/nowhere" }, context, new BuildSlot());

  await build.start("");
  build.setRunProblems([running]);
  expect(build.status).toMatchObject({ phase: "failed", problems: [wrong, running] });
  await build.generate(false);
  expect(build.status.phase).toBe("failed");
  ok = true;
  await build.generate(false);
  expect(build.status).toMatchObject({ phase: "idle", problems: [running] });
  expect(told.at(-1)).toBe("idle");
  ok = false;
  await build.start("");
  expect(build.status).toMatchObject({ phase: "failed", problems: [wrong, running] });
  build.setRunProblems([]);
  expect(build.status).toMatchObject({ phase: "failed", problems: [wrong] });
});
