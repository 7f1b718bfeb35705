import { watch } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { forgetAttached, noteAttached } from "../running/registry.js";
import { watchNotes } from "./watchNotes.js";

const noneIsLeft = (() => {
  throw new Error("EMFILE: too many open files, watch");
}) as typeof watch;

test.each([
  ["a watch", watch],
  ["no watch left on this machine", noneIsLeft],
])("what is noted and taken away is told with %s", async (_, watching) => {
  const project = await mkdtemp(join(tmpdir(), "penstock-notes-"));
  onTestFinished(() => rm(project, { recursive: true }));
  vi.stubEnv("XDG_STATE_HOME", join(project, "state"));
  let told = 0;
  const end = watchNotes(() => told++, watching);
  onTestFinished(end);
  const entry = { project, binary: "app", control: "127.0.0.1:9901", token: "t", attached: true } as const;
  await expect
    .poll(async () => {
      // Again and again: when it begins to look is its own affair.
      await noteAttached(entry);
      return told;
    })
    .toBeGreaterThan(0);
  // Times of files go in steps of some milliseconds: what comes in the same one is not told by the time.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const before = told;
  await forgetAttached(entry);
  await expect.poll(() => told).toBeGreaterThan(before);
});
