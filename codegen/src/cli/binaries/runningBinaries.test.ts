import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { noteAttached, Supervisor } from "../../run/index.js";
import { makeFake } from "../../run/testing/makeFake.js";
import { knownProcesses, runningProcesses } from "./runningBinaries.js";

test("a process that was started at the address of an attached one is the only one there", async () => {
  const project = await mkdtemp(join(tmpdir(), "penstock-running-"));
  vi.stubEnv("XDG_STATE_HOME", join(project, "state"));
  const token = "of-both";
  const supervisor = new Supervisor({
    projectDir: project,
    binary: "app",
    ...(await makeFake(project, {})),
    token,
  });
  onTestFinished(async () => {
    await supervisor.stop();
    await rm(project, { recursive: true });
  });
  const ready = new Promise((resolve) => supervisor.once("ready", resolve));
  supervisor.start();
  await ready;
  const control = supervisor.status.control ?? "";
  const attached = { project, binary: "app", token, attached: true } as const;
  await noteAttached({ ...attached, control });
  await noteAttached({ ...attached, control: "127.0.0.1:1" });
  expect((await knownProcesses(project)).map(({ name }) => name)).toEqual(["app", "app@1"]);
  expect((await runningProcesses(project, undefined)).map(({ name }) => name)).toEqual(["app"]);
});
