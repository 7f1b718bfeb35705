import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  ConfinedFolder,
  contentHash,
  decideChanges,
  finishChanges,
  type DecidedChanges,
  type FileChange,
} from "../../disk/index.js";
import { decodeText, LAYOUT_FILE, readDrawing, revisionOf, TOPOLOGY_FILE } from "./drawing.js";
import { addRevision, dropRevision, listRevisions, pruneRevisions, REVISIONS } from "./revisions.js";

export interface DrawingPlace {
  /** The project's folder. */
  root: string;
  /** The server's own folder for it, in which revisions are kept. */
  records: string;
}

/** Of a project in a workspace that can be written: its folder's real path says all. */
export const placeOf = (root: string): DrawingPlace => ({
  root,
  records: join(dirname(root), ".penstock", "projects", basename(root)),
});

/**
 * Keeps the drawing that a save is to replace where no save made it (an example's, or what an editor, git or the
 * command line has written), as one that can be gone back to and that a running binary may have been made of.
 * `good` is its revision, if it can be read.
 */
export async function keepReplaced(
  place: DrawingPlace,
  good: string | undefined,
  nowMs: number,
): Promise<void> {
  const [newest] = await listRevisions(join(place.records, REVISIONS));
  if (newest?.revision === good) return;
  const drawing = await readDrawing(place.root);
  const { revision, topologyStats } = drawing;
  const topology = decodeText(drawing.topology);
  const layout = drawing.layout && decodeText(drawing.layout);
  if (revision !== good || topology === undefined || layout === undefined) return;
  // It came after the newest one, whatever the file's time is: only layout.json may be new.
  const writtenAtMs = Math.min(Math.floor(topologyStats.mtimeMs), nowMs - 1);
  const savedAtMs = Math.max(writtenAtMs, (newest?.savedAtMs ?? 0) + 1);
  await mkdir(place.records, { recursive: true, mode: 0o700 });
  await ConfinedFolder.within(place.records, (records) =>
    addRevision(records, { revision, savedAtMs, topology, layout }),
  );
}

/**
 * A save of two files that is one step to everybody else, and kept as a revision. Returns the new one. The
 * caller has checked what it replaces, and saves one at a time.
 *
 * @param onStep told before each change on the disk
 */
export async function saveDrawing(
  place: DrawingPlace,
  drawing: { topology: string; layout: string; savedAtMs: number },
  onStep?: (step: string) => void,
): Promise<string> {
  const { topology, layout } = drawing;
  const revision = revisionOf(topology, layout);
  await mkdir(place.records, { recursive: true, mode: 0o700 });
  // The last one is the newest, also where the clock went back: the oldest ones are dropped.
  const [newest] = await listRevisions(join(place.records, REVISIONS));
  const savedAtMs = Math.max(drawing.savedAtMs, (newest?.savedAtMs ?? 0) + 1);
  await ConfinedFolder.within(
    place.records,
    async (records) => {
      await ConfinedFolder.within(
        place.root,
        async (root) => {
          const decide = async (): Promise<DecidedChanges> => {
            await addRevision(records, { revision, savedAtMs, topology, layout });
            const changes = [change(root, TOPOLOGY_FILE, topology), change(root, LAYOUT_FILE, layout)];
            return decideChanges(root, changes, { together: true });
          };
          const decided = await decide().catch((error: unknown) => {
            dropRevision(records, savedAtMs, revision);
            throw error;
          });
          await decided.carryOut();
        },
        onStep,
      );
      pruneRevisions(records);
    },
    onStep,
  );
  return revision;
}

/** A layout may be a link or no text at all: whatever stands there is replaced. */
function change(root: ConfinedFolder, path: string, text: string): FileChange {
  const there = root.stat(path);
  const present = root.readIfPlain(path);
  const was = there === undefined ? {} : { was: present === undefined ? null : contentHash(present) };
  return { path, to: { text }, ...was, durable: true };
}

/** Finishes a save that was decided but cut off, and clears away what a cut-off one left behind. */
export const finishSave = (place: DrawingPlace): void => {
  ConfinedFolder.within(place.root, finishChanges);
};
