import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile, takeLockWithin } from "../../disk/index.js";
import { MOST_RENAMES, renameSchema, type Rename } from "../../contract/index.js";
import type { DrawingPlace } from "../drawing/saveDrawing.js";

/**
 * The id tells it from a later one of the same names: each is followed once, whatever ends in between. `before`:
 * hash of the drawing that its save replaced; left out where none was read that is sound, and by earlier versions.
 */
const pendingSchema = z.array(renameSchema.extend({ id: z.string(), before: z.string().optional() }));

export type PendingRename = z.infer<typeof pendingSchema>[number];

const path = (place: DrawingPlace): string => join(place.records, "renames.json");

/** A change of the list takes milliseconds. */
const LOCK_WITHIN_MS = 10_000;

/** What is noted, as it concerns one drawing. */
export interface Pending {
  /** Those that the files have followed: whoever followed them was ended before it could say so. */
  followed: PendingRename[];
  /** Those that they have yet to follow, oldest first. */
  renames: PendingRename[];
}

/**
 * Renames saved since the last generation: the user's files have yet to follow. Read it after the drawing: a rename
 * is noted before it is saved.
 *
 * @param topologyHash of the drawing that the files are to follow
 * @param lastFollowed id of the last one that they have followed
 */
export async function readPendingRenames(
  place: DrawingPlace,
  topologyHash: string,
  lastFollowed?: string,
): Promise<Pending> {
  const all = await noted(place);
  const from = all.findIndex(({ id }) => id === lastFollowed) + 1;
  const later = all.slice(from);
  // The drawing has the names of before this one.
  const end = later.findIndex(({ before }) => before === topologyHash);
  return { followed: all.slice(0, from), renames: end < 0 ? later : later.slice(0, end) };
}

/**
 * Notes them for a save that is to replace the drawing of hash `before`. What ends before that save leaves them
 * in the list, where they are not read for that drawing, and forgotten with the next ones. Returns their ids.
 */
export async function addPendingRenames(
  place: DrawingPlace,
  renames: readonly Rename[],
  before: string | undefined,
): Promise<string[]> {
  const known = await noted(place);
  if (renames.length === 0 && savedOf(known, before).length === known.length) return [];
  const fresh = renames.map((rename): PendingRename => ({
    ...rename,
    id: randomBytes(8).toString("hex"),
    ...(before === undefined ? {} : { before }),
  }));
  await change(place, (all) => [...savedOf(all, before), ...fresh].slice(-MOST_RENAMES));
  return fresh.map(({ id }) => id);
}

/** The user's files have followed these, or they were not saved after all. */
export async function dropPendingRenames(place: DrawingPlace, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await change(place, (all) => all.filter(({ id }) => !ids.includes(id)));
}

/** Without those that were noted for a save which never came, as the drawing is still this one: the last ones at most. */
function savedOf(all: PendingRename[], topologyHash: string | undefined): PendingRename[] {
  const unsaved = (rename: PendingRename): boolean =>
    rename.before !== undefined && rename.before === topologyHash;
  return all.slice(0, all.findLastIndex((rename) => !unsaved(rename)) + 1);
}

/** What a copy of the project has to be given, read before its files are copied: its manifest knows what they have followed. */
export const notedRenames = (place: DrawingPlace): Promise<PendingRename[]> => noted(place);

/** Notes those of the project that is copied, and forgets what was left of one that had the copy's name. */
export async function giveRenames(place: DrawingPlace, renames: PendingRename[]): Promise<void> {
  if (renames.length > 0 || (await noted(place)).length > 0) await change(place, () => renames);
}

async function noted(place: DrawingPlace): Promise<PendingRename[]> {
  try {
    return pendingSchema.parse(JSON.parse(await readFile(path(place), "utf8")));
  } catch {
    return [];
  }
}

/** Read and replaced in one: server and command line change it. */
async function change(
  place: DrawingPlace,
  changed: (all: PendingRename[]) => PendingRename[],
): Promise<void> {
  await mkdir(place.records, { recursive: true, mode: 0o700 });
  const lock = await takeLockWithin(join(place.records, "renames.lock"), "renames", LOCK_WITHIN_MS);
  try {
    const all = changed(await noted(place));
    if (all.length === 0) await rm(path(place), { force: true });
    else await replaceFile(path(place), JSON.stringify(all), 0o600);
  } finally {
    await lock.release();
  }
}
