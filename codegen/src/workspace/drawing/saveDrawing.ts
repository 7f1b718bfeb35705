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
import { LAYOUT_FILE, revisionOf, TOPOLOGY_FILE } from "./drawing.js";
import { addRevision, dropRevision, pruneRevisions } from "./revisions.js";

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
  const { topology, layout, savedAtMs } = drawing;
  const revision = revisionOf(topology, layout);
  await mkdir(place.records, { recursive: true, mode: 0o700 });
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
