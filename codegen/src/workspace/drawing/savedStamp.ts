import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { contentHash, replaceFile } from "../../disk/index.js";
import { LAYOUT_FILE, TOPOLOGY_FILE, type Drawing } from "./drawing.js";
import type { DrawingPlace } from "./saveDrawing.js";

/**
 * What our last save left on the disk. A file whose times and size are still those, but whose
 * content is not, was changed by no program: the disk or the memory did it.
 */
const fileStamp = z.strictObject({ size: z.number(), mtimeMs: z.number(), hash: z.string() });
const stampSchema = z.strictObject({ topology: fileStamp, layout: fileStamp });

const stampPath = (place: DrawingPlace): string => join(place.records, "saved.json");

async function stampOf(root: string, file: string, content: string): Promise<z.infer<typeof fileStamp>> {
  const { size, mtimeMs } = await stat(join(root, file));
  return { size, mtimeMs, hash: contentHash(content) };
}

export async function rememberSaved(place: DrawingPlace, topology: string, layout: string): Promise<void> {
  const stamp = {
    topology: await stampOf(place.root, TOPOLOGY_FILE, topology),
    layout: await stampOf(place.root, LAYOUT_FILE, layout),
  };
  await replaceFile(stampPath(place), JSON.stringify(stamp), 0o600);
}

const changed = (
  bytes: Uint8Array,
  stats: { size: number; mtimeMs: number },
  saved: z.infer<typeof fileStamp>,
): boolean =>
  stats.size === saved.size && stats.mtimeMs === saved.mtimeMs && contentHash(bytes) !== saved.hash;

/** The name of the file that changed without having been written, if there is one. */
export async function findRottenFile(place: DrawingPlace, drawing: Drawing): Promise<string | undefined> {
  let stamp: z.infer<typeof stampSchema>;
  try {
    stamp = stampSchema.parse(JSON.parse(await readFile(stampPath(place), "utf8")));
  } catch {
    return undefined;
  }
  if (changed(drawing.topology, drawing.topologyStats, stamp.topology)) return TOPOLOGY_FILE;
  if (drawing.layout && drawing.layoutStats && changed(drawing.layout, drawing.layoutStats, stamp.layout)) {
    return LAYOUT_FILE;
  }
  return undefined;
}
