import { lstat, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ConfinedFolder } from "../disk/index.js";
import type { TopologyFormat } from "./drawing/drawing.js";
import { checkProjectName } from "./createProject.js";
import { Refusal } from "./drawing/refusal.js";
import { placeOf } from "./drawing/saveDrawing.js";

/** Makes durable what was renamed in a folder. */
const syncFolder = (path: string): Promise<void> =>
  ConfinedFolder.within(path, (folder) => folder.flush([""]));

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Gives a project's folder another name, and its revisions with it. The drawing keeps its own name, the C++
 * namespace its handlers are written in. What was built knows its old place by name and is built anew.
 */
export async function renameProject(folder: string, name: string, format: TopologyFormat): Promise<void> {
  checkProjectName(name, format);
  const target = join(folder, "..", name);
  if (await isThere(target))
    throw new Refusal("exists", `There is a ${name} already`, "Choose another name.");
  const { records } = placeOf(target);
  // Those of a project that somebody took away by hand.
  await rm(records, { recursive: true, force: true });
  await rm(join(folder, "build"), { recursive: true, force: true });
  const old = placeOf(folder).records;
  await rename(folder, target);
  if (await isThere(old)) await rename(old, records);
  await syncFolder(dirname(target));
}

/** `20261122-214500` */
const stamp = (nowMs: number): string =>
  new Date(nowMs).toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);

/**
 * Takes a project out of the workspace into its kept folder, revisions and all; moved back by hand it is
 * there again. Resolves with where it is.
 */
export async function keepDeletedProject(folder: string, nowMs: number): Promise<string> {
  const workspace = join(folder, "..");
  const kept = join(workspace, ".penstock", "deleted");
  await mkdir(kept, { recursive: true, mode: 0o700 });
  let place = join(kept, `${basename(folder)}-${stamp(nowMs)}`);
  for (let copy = 2; await isThere(place); copy++)
    place = join(kept, `${basename(folder)}-${stamp(nowMs)}-${copy}`);
  await mkdir(place, { mode: 0o700 });
  const project = join(place, basename(folder));
  await rename(folder, project);
  const { records } = placeOf(folder);
  if (await isThere(records)) await rename(records, join(place, "records"));
  await syncFolder(workspace);
  return project;
}
