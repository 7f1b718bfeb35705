import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { goodBinary } from "../../build/index.js";
import type { ServerMessage } from "../../contract/index.js";
import { makeFake } from "../../run/testing/makeFake.js";
import type { BrowserSocket } from "../sockets/browserSocket.js";
import { idleToolchain } from "../testing/testServer.js";
import { BuildSlot } from "./projectBuild.js";
import { ProjectRunner } from "./projectRunner.js";
import type { RunnersContext } from "./runnersContext.js";

test("a tab that opens a project is told the newest lines, and of none that it was dropped", async () => {
  const context = { publish: () => undefined, toolchain: idleToolchain, patience: 1 };
  const project = { id: "mine", name: "mine", folder: "/nowhere" };
  const runner = new ProjectRunner(project, context as unknown as RunnersContext, new BuildSlot());
  for (let line = 1; line <= 2000; line++) runner["book"].add("app", "stdout", `line ${line}`);
  const told: ServerMessage[] = [];
  runner.tellAll({ send: (message: ServerMessage) => told.push(message) } as unknown as BrowserSocket);
  await runner.close();
  const logs = told.find((message) => message.type === "logs");
  expect(logs?.dropped).toBe(0);
  expect(logs?.lines).toHaveLength(500);
  expect(logs?.lines.at(-1)?.text).toBe("line 2000");
  expect(runner.logs()).toHaveLength(2000);
});

/** The runner of a project with a kept binary `app`; `onOwn` is told whenever it is asked whose project it is. */
async function withKept(onOwn: () => void = () => undefined): Promise<{
  runner: ProjectRunner;
  keep: (config: Record<string, unknown>) => Promise<unknown>;
  start: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), "penstock-runner-"));
  process.env["XDG_STATE_HOME"] = join(folder, "state");
  const isOwn = async (): Promise<boolean> => {
    onOwn();
    return true;
  };
  const context = {
    workspace: { isOwn, drawn: async () => ({}) },
    ...{ publish: () => undefined, publishSample: () => undefined, log: () => undefined },
    ...{ toolchain: idleToolchain, patience: 60 },
  };
  const project = { id: "mine", name: "mine", folder };
  const runner = new ProjectRunner(project, context as unknown as RunnersContext, new BuildSlot());
  onTestFinished(async () => {
    await runner.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { executable } = goodBinary(folder, "release", "app");
  return {
    runner,
    keep: (config) => makeFake(dirname(executable), config),
    start: () => runner["startBinary"]("app", 1, false, undefined),
  };
}

test("a binary that is another one by the time it is started takes the place of the one that runs", async () => {
  const { runner, keep, start } = await withKept();
  await keep({});
  await start();
  const before = runner["lives"].get("app");
  await before?.settled();
  await keep({ say: "another one" });
  await start();
  const after = runner["lives"].get("app");
  expect([before?.isAlive, after?.isAlive]).toEqual([false, true]);
});

test("a binary that is stopped in the moment in which it is started stays stopped", async () => {
  let asked = 0;
  let stopping: Promise<unknown> | undefined;
  const { runner, keep, start } = await withKept(() => {
    // The last time, for its fence, right before there is a process.
    if (++asked === 2) stopping = runner.stop("app");
  });
  await keep({});
  await start();
  await stopping;
  expect(runner["lives"].get("app")?.isAlive).toBe(false);
});
