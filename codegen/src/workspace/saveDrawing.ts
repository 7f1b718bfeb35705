import { mkdir, readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import {
  isTemporaryName,
  prepareFile,
  syncFolder,
  writeFileAtomic,
  type PreparedFile,
} from "./atomicFile.js";
import { LAYOUT_FILE, readDrawing, TOPOLOGY_FILE } from "./drawing.js";
import { realFileOps, type FileOps } from "./fileOps.js";
import {
  addRevision,
  dropRevision,
  pruneRevisions,
  readRevision,
  removeQuietly,
  revisionFileName,
} from "./revisions.js";
import { revisionOf } from "./revision.js";

/**
 * A save of two files that is one step to everybody else. The new drawing is first kept as a
 * revision, both files are then written beside the old ones, and the journal's rename decides:
 * before it the old drawing counts, after it the new one, whatever dies in between. Who opens
 * the project next finishes what the journal says (`finishSave`).
 */
export interface DrawingPlace {
  /** The project's folder. */
  root: string;
  /** The server's own folder for it, in which journal and revisions are kept. */
  records: string;
}

/** Of a project in a workspace that can be written: its folder's real path says all. */
export const placeOf = (root: string): DrawingPlace => ({
  root,
  records: join(dirname(root), ".penstock", "projects", basename(root)),
});

const journalSchema = z.strictObject({ from: z.string(), to: z.string() });
const journalPath = (place: DrawingPlace): string => join(place.records, "journal.json");
const revisionsPath = (place: DrawingPlace): string => join(place.records, "revisions");

/** Saves, and returns the new revision. The caller has checked what it replaces, and saves one at a time. */
export async function saveDrawing(
  place: DrawingPlace,
  from: string,
  drawing: { topology: string; layout: string; savedAtMs: number },
  ops: FileOps = realFileOps,
): Promise<string> {
  const { topology, layout, savedAtMs } = drawing;
  const revision = revisionOf(topology, layout);
  await mkdir(place.records, { recursive: true, mode: 0o700 });
  const prepared: PreparedFile[] = [];
  try {
    await addRevision(revisionsPath(place), { revision, savedAtMs, topology, layout }, ops);
    prepared.push(await prepareFile(join(place.root, TOPOLOGY_FILE), topology, { ops }));
    prepared.push(await prepareFile(join(place.root, LAYOUT_FILE), layout, { ops }));
    await writeFileAtomic(journalPath(place), JSON.stringify({ from, to: revision }), { ops, mode: 0o600 });
  } catch (error) {
    await Promise.all(prepared.map((file) => file.discard()));
    await removeQuietly(journalPath(place));
    await dropRevision(revisionsPath(place), revisionFileName(savedAtMs, revision), ops);
    throw error;
  }
  // Decided: from here on the save is finished, now or by whoever opens the project next.
  for (const file of prepared) await file.commit();
  await ops.unlink(journalPath(place));
  await syncFolder(place.records, ops);
  await pruneRevisions(revisionsPath(place), ops);
  return revision;
}

/**
 * Finishes a save that was decided but cut off, and clears away what a cut-off one left behind.
 * Leaves the files alone when somebody else has changed them since. True when it changed them.
 */
export async function finishSave(place: DrawingPlace, ops: FileOps = realFileOps): Promise<boolean> {
  await clearTemporaries(place.root);
  let journal: z.infer<typeof journalSchema>;
  try {
    journal = journalSchema.parse(JSON.parse(await readFile(journalPath(place), "utf8")));
  } catch {
    await removeQuietly(journalPath(place));
    return false;
  }
  const record = await readRevision(revisionsPath(place), journal.to);
  const current = await readDrawing(place.root).catch(() => null);
  let changed = false;
  if (
    record &&
    current &&
    record.layout !== null &&
    (await isOursToFinish(place, journal.from, record, current))
  ) {
    await writeFileAtomic(join(place.root, TOPOLOGY_FILE), record.topology, { ops });
    await writeFileAtomic(join(place.root, LAYOUT_FILE), record.layout, { ops });
    changed = current.revision !== journal.to;
  }
  await ops.unlink(journalPath(place));
  return changed;
}

/** The disk holds the old drawing, or the mixture that a cut between the two renames leaves. */
async function isOursToFinish(
  place: DrawingPlace,
  from: string,
  record: { topology: string; layout: string | null },
  current: { topology: Buffer; layout: Buffer | null; revision: string },
): Promise<boolean> {
  if (current.revision === from) return true;
  if (!current.topology.equals(Buffer.from(record.topology))) return false;
  if (current.layout === null || current.layout.equals(Buffer.from(record.layout ?? ""))) return true;
  const old = await readRevision(revisionsPath(place), from);
  // Without the old revision the layout cannot be compared; it is looks only, the new one wins.
  return old === undefined || old.layout === null || current.layout.equals(Buffer.from(old.layout));
}

async function clearTemporaries(root: string): Promise<void> {
  const names = await readdir(root).catch(() => [] as string[]);
  const mine = names.filter(
    (name) =>
      isTemporaryName(name) && (name.startsWith(`.${TOPOLOGY_FILE}.`) || name.startsWith(`.${LAYOUT_FILE}.`)),
  );
  await Promise.all(mine.map((name) => removeQuietly(join(root, name))));
}
