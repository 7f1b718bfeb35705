import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { idleToolchain } from "../testing/testServer.js";
import { ProjectRunners } from "./projectRunners.js";
import type { RunnersContext } from "./runnersContext.js";

let root: string;
let runners: ProjectRunners;
let beforeFolder: () => Promise<void>;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "penstock-runners-"));
  process.env["XDG_STATE_HOME"] = join(root, "state");
  beforeFolder = async () => undefined;
  const folderOf = async (id: string): Promise<string> => {
    await beforeFolder();
    return join(root, id);
  };
  const context = {
    workspace: { root, folderOf },
    toolchain: idleToolchain,
    patience: 1,
    publish: () => undefined,
    isWatched: () => false,
    log: () => undefined,
  };
  runners = new ProjectRunners(context as unknown as RunnersContext);
});
afterEach(async () => {
  await runners.close();
  await rm(root, { recursive: true, force: true });
});

test("two who ask for a project at once, the first ones, are given the same runner", async () => {
  const [one, other] = await Promise.all([runners.of("ads"), runners.of("ads")]);
  expect(one).toBe(other);
});

test("who asked for a project before it began to be moved is refused", async () => {
  await runners.of("ads");
  let look = (): void => undefined;
  beforeFolder = () => new Promise((resolve) => (look = resolve));
  const asked = runners.of("ads");
  beforeFolder = async () => undefined;
  await runners.whileStill("ads", async () => {
    look();
    await expect(asked).rejects.toMatchObject({ message: "The project is being moved" });
  });
});
