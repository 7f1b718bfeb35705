import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  ConfinedFolder,
  contentHash,
  decideChanges,
  finishChanges,
  type FileChange,
} from "../../disk/index.js";
import { decodeText, LAYOUT_FILE, revisionOf, TOPOLOGY_FILE, type Drawing } from "./drawing.js";
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
 */
export async function keepReplaced(place: DrawingPlace, drawing: Drawing, nowMs: number): Promise<void> {
  const [newest] = await listRevisions(join(place.records, REVISIONS));
  const { revision, topologyStats } = drawing;
  if (newest?.revision === revision) return;
  const topology = decodeText(drawing.topology);
  const layout = drawing.layout && decodeText(drawing.layout);
  if (topology === undefined || layout === undefined) return;
  // It came after the newest one, whatever the file's time is: only layout.json may be new.
  const writtenAtMs = Math.min(Math.floor(topologyStats.mtimeMs), nowMs - 1);
  const savedAtMs = Math.max(writtenAtMs, (newest?.savedAtMs ?? 0) + 1);
  await mkdir(place.records, { recursive: true, mode: 0o700 });
  await ConfinedFolder.within(place.records, (records) =>
    addRevision(records, { revision, savedAtMs, topology, layout }),
  );
}

/**
 * A save of two files that is one step to everybody else, and kept as a revision. Returns the new one. Undefined:
 * another drawing than the one that it `replaces` is there by now; what somebody else has written stays. The caller
 * saves one at a time.
 *
 * @param onStep told before each change on the disk
 */
export async function saveDrawing(
  place: DrawingPlace,
  drawing: { topology: string; layout: string; savedAtMs: number; replaces: Drawing },
  onStep?: (step: string) => void,
): Promise<string | undefined> {
  const { topology, layout } = drawing;
  const revision = revisionOf(topology, layout);
  await mkdir(place.records, { recursive: true, mode: 0o700 });
  // The last one is the newest, also where the clock went back: the oldest ones are dropped.
  const [newest] = await listRevisions(join(place.records, REVISIONS));
  const savedAtMs = Math.max(drawing.savedAtMs, (newest?.savedAtMs ?? 0) + 1);
  return ConfinedFolder.within(
    place.records,
    async (records) => {
      const drop = (): void => dropRevision(records, savedAtMs, revision);
      const isSaved = await ConfinedFolder.within(
        place.root,
        async (root) => {
          const decide = async (): ReturnType<typeof decideChanges> => {
            await addRevision(records, { revision, savedAtMs, topology, layout });
            return decideChanges(root, changesOf(drawing), { together: true });
          };
          const decided = await decide().catch((error: unknown) => {
            drop();
            throw error;
          });
          const left = await decided?.carryOut();
          return left?.length === 0;
        },
        onStep,
      );
      if (isSaved) pruneRevisions(records);
      else drop();
      return isSaved ? revision : undefined;
    },
    onStep,
  );
}

/** A layout may be a link, or not for us to read: whatever stands there is replaced. */
function changesOf({ topology, layout, replaces }: Parameters<typeof saveDrawing>[1]): FileChange[] {
  const layoutWas =
    replaces.layout !== null
      ? { was: contentHash(replaces.layout) }
      : replaces.layoutFault !== undefined
        ? { was: null }
        : {};
  return [
    { path: TOPOLOGY_FILE, to: { text: topology }, was: contentHash(replaces.topology), durable: true },
    { path: LAYOUT_FILE, to: { text: layout }, ...layoutWas, durable: true },
  ];
}

/** Finishes a save that was decided but cut off, and clears away what a cut-off one left behind. */
export const finishSave = (place: DrawingPlace): void => {
  ConfinedFolder.within(place.root, finishChanges);
};
