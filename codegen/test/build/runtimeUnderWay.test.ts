import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildProject, type BuildResult } from "../../src/build/index.js";
import type { BuildStatus } from "../../src/contract/index.js";
import { problem, type Problem } from "../../src/model/diagnostics/index.js";
import { BuildSlot, ProjectBuild } from "../../src/server/projects/projectBuild.js";
import type { RunnersContext } from "../../src/server/projects/runnersContext.js";
import { makeTrivialProject } from "./trivialProject.js";

const setUp = fileURLToPath(new URL("../../../scripts/setup/under-way.mjs", import.meta.url));
let root: string;
let projectDir: string;
let runtimeRoot: string;
let setUpOf: ChildProcessWithoutNullStreams | undefined;
beforeEach(async () => {
  ({ root, projectDir, runtimeRoot } = await makeTrivialProject());
  process.env["XDG_STATE_HOME"] = join(root, "state");
  await rename(join(runtimeRoot, "release"), join(runtimeRoot, "later"));
});
afterEach(async () => {
  setUpOf?.kill("SIGKILL");
  await rm(root, { recursive: true, force: true });
});

/** A set-up that is at 54 of 110 until its input ends. */
async function setUpBegins(): Promise<ChildProcessWithoutNullStreams> {
  const code = `
    const { buildAlone } = await import(${JSON.stringify(pathToFileURL(setUp).href)});
    await buildAlone(${JSON.stringify(join(runtimeRoot, "release"))}, { progress() {} }, async (tell) => {
      tell(54, 110);
      console.log("begun");
      for await (const _ of process.stdin);
    });`;
  setUpOf = spawn(process.execPath, ["--input-type=module", "-e", code]);
  await once(setUpOf.stdout, "data");
  return setUpOf;
}

/** A build, and the moment at which it says that it waits. */
function build(
  signal = new AbortController().signal,
  generateAnew: () => Promise<Problem[] | undefined> = async () => undefined,
) {
  const statuses: BuildStatus[] = [];
  let waits = () => {};
  const waiting = new Promise<void>((resolve) => (waits = resolve));
  const result: Promise<BuildResult> = buildProject({
    ...{ projectDir, runtimeRoot, preset: "release", signal, generateAnew },
    onStatus: (status) => {
      statuses.push(status);
      if (status.phase === "waiting") waits();
    },
  });
  return { statuses, waiting, result };
}

test("a build waits for the runtime that set-up builds just now, says how far that is, and goes on", async () => {
  const begun = await setUpBegins();
  const { statuses, waiting, result } = build();
  await waiting;
  expect(statuses.at(-1)).toMatchObject({ done: 54, total: 110 });
  await rename(join(runtimeRoot, "later", "prefix"), join(runtimeRoot, "release", "prefix"));
  begun.stdin.end();
  expect(await result).toMatchObject({ outcome: "succeeded", problems: [] });
});

test("a build that waits for the runtime is cancelled at once", async () => {
  await setUpBegins();
  const abort = new AbortController();
  const { waiting, result } = build(abort.signal);
  await waiting;
  abort.abort();
  expect((await result).outcome).toBe("cancelled");
});

test("a build does not wait for a set-up that was killed", async () => {
  const begun = await setUpBegins();
  const ended = once(begun, "exit");
  begun.kill("SIGKILL");
  await ended;
  await mkdir(join(runtimeRoot, "release"), { recursive: true });
  expect((await build().result).problems).toMatchObject([{ code: "PS855" }]);
});

test("a build that has waited for the runtime builds what was drawn meanwhile", async () => {
  const begun = await setUpBegins();
  const app = join(projectDir, "generated/binaries/app.cpp");
  const { waiting, result } = build(undefined, async () => {
    await writeFile(app, "this is what was drawn meanwhile\n");
    return undefined;
  });
  await waiting;
  await rename(join(runtimeRoot, "later", "prefix"), join(runtimeRoot, "release", "prefix"));
  begun.stdin.end();
  expect((await result).problems).toMatchObject([{ code: "PS850", file: "generated/binaries/app.cpp" }]);
});

test("a build of the designer generates once more when it has waited for the runtime", async () => {
  const begun = await setUpBegins();
  let generated = 0;
  const slot = new BuildSlot();
  const build = new ProjectBuild(
    { id: "mine", name: "mine", folder: projectDir },
    {
      runtimeRoot,
      patience: 1,
      publish: (message: { type: string; status?: { phase: string } }) => {
        if (message.status?.phase === "waiting") begun.stdin.end();
      },
      toolchain: {
        generate: async () => {
          generated += 1;
          return {
            ok: generated === 1,
            problems: [],
            written: [],
            unchanged: 0,
            removed: [],
            milliseconds: 1,
          };
        },
      },
      workspace: { changing: <T>(task: () => Promise<T>) => task() },
    } as unknown as RunnersContext,
    slot,
  );
  expect(await build.start("release")).toBe(false);
  expect([generated, build.status.phase]).toEqual([2, "failed"]);
});

test("a build that has waited for the runtime is refused where what was drawn meanwhile is", async () => {
  const begun = await setUpBegins();
  const { waiting, result } = build(undefined, async () => [problem("PS860", "/binaries", "There is none")]);
  await waiting;
  begun.stdin.end();
  expect(await result).toMatchObject({ ok: false, problems: [{ code: "PS860" }] });
});

test("a build that has not waited does not generate once more", async () => {
  await rename(join(runtimeRoot, "later"), join(runtimeRoot, "release"));
  let generated = 0;
  const { result } = build(undefined, async () => {
    generated += 1;
    return undefined;
  });
  expect([(await result).outcome, generated]).toEqual(["succeeded", 0]);
});
