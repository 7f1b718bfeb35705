import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { goodBinary } from "../../build/index.js";
import { makeFake } from "../../run/testing/makeFake.js";
import type { Output } from "../terminal/output.js";
import { supervise, type RunRequest, type Supervised } from "./supervise.js";

let projectDir: string;
let runs: Supervised[];
beforeEach(async () => {
  projectDir = await mkdtemp(join(tmpdir(), "penstock-supervise-"));
  process.env["XDG_STATE_HOME"] = join(projectDir, "state");
  runs = [];
});
afterEach(async () => {
  await Promise.all(runs.map(({ supervisor }) => supervisor.stop()));
  await rm(projectDir, { recursive: true, force: true });
});

/** Starts a kept binary; `told` gathers what is said of all of them. */
async function start(binary: string, told: Record<string, unknown>[], doing?: object): Promise<Supervised> {
  if (doing !== undefined) {
    const good = goodBinary(projectDir, "release", binary);
    const fake = await makeFake(dirname(good.executable), { binary, ...doing });
    await rename(fake.executable, good.executable);
    await rename(fake.config, good.config);
  }
  const nothing = (): void => undefined;
  const event = (body: Record<string, unknown>): void => void told.push(body);
  const output = { event, note: nothing, result: nothing, problems: nothing } as unknown as Output;
  const request: RunRequest = {
    ...{ projectDir, build: "release", relaxPins: false, detached: false },
    ...{ fence: undefined, output, preset: undefined },
  };
  const run = supervise(binary, 1, request);
  runs.push(run);
  run.supervisor.start();
  return run;
}

test("a process that cannot be started is told at once and once, while another one goes on", async () => {
  const told: Record<string, unknown>[] = [];
  const going = await start("going", told, {});
  expect(await going.ready).toBe(true);
  const none = await start("none", told);
  expect(await none.ready).toBe(false);
  const { problem } = await none.end();
  expect(told).toMatchObject([
    { event: "ready", binary: "going" },
    { event: "failed", ok: false, binary: "none", problems: [{ code: "PS879" }] },
  ]);
  expect(problem?.code).toBe("PS879");
  expect(going.supervisor.status.state).toBe("running");
});
