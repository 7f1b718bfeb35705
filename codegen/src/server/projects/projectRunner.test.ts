import { expect, test } from "vitest";
import type { ServerMessage } from "../../contract/index.js";
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
