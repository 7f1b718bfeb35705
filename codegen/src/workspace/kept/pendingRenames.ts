import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../../disk/index.js";
import { MOST_RENAMES, renameSchema, type Rename } from "../../contract/index.js";
import type { DrawingPlace } from "../drawing/saveDrawing.js";

const pendingSchema = z.array(renameSchema.extend({ id: z.string() }));

/** The id tells it from a later one of the same names: each is followed once, whatever ends in between. */
export type PendingRename = z.infer<typeof pendingSchema>[number];

const path = (place: DrawingPlace): string => join(place.records, "renames.json");

/** Renames saved since the last generation, oldest first: the user's files have yet to follow. */
export async function readPendingRenames(place: DrawingPlace): Promise<PendingRename[]> {
  try {
    return pendingSchema.parse(JSON.parse(await readFile(path(place), "utf8")));
  } catch {
    return [];
  }
}

export async function addPendingRenames(place: DrawingPlace, renames: Rename[]): Promise<void> {
  if (renames.length === 0) return;
  await mkdir(place.records, { recursive: true, mode: 0o700 });
  const fresh = renames.map((rename): PendingRename => ({ ...rename, id: randomBytes(8).toString("hex") }));
  const all = [...(await readPendingRenames(place)), ...fresh].slice(-MOST_RENAMES);
  await replaceFile(path(place), JSON.stringify(all), 0o600);
}

/** A generation has moved the first `count` of them. */
export async function dropPendingRenames(place: DrawingPlace, count: number): Promise<void> {
  const rest = (await readPendingRenames(place)).slice(count);
  if (rest.length === 0) await rm(path(place), { force: true });
  else await replaceFile(path(place), JSON.stringify(rest), 0o600);
}
