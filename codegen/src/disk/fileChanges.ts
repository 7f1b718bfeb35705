import { z } from "zod";
import { isSameProcess, processStartTime } from "../process/index.js";
import type { ConfinedFolder } from "./confinedFolder.js";
import { contentHash } from "./contentHash.js";
import { unlessRefused } from "./refusal.js";

/** A file that changes together with others: made, replaced or removed. */
export interface FileChange {
  path: string;
  /**
   * What it becomes: a text, or the very file that now stands elsewhere. Left out: it goes. A text has the mode of the
   * file whose place it takes, or of the one at `modeOf`.
   */
  to?: { text: string; modeOf?: string } | { fileAt: string };
  /**
   * Hash of what stands there until then, of its bytes or its text; something else that stands there by then stays.
   * null: whatever it is, a link too. Left out: nothing does.
   */
  was?: string | null;
  /** The new text is on the disk before anything changes: it is somebody's work. */
  durable?: boolean;
}

/**
 * Changes that are decided: from the moment the journal stands in the staging folder they are carried to
 * their end, by this process or by the next one. Until then nothing has changed. Every step looks before it
 * acts, so a journal can be carried out any number of times.
 */
const journalSchema = z.strictObject({
  /** None is carried out any more once somebody else has changed one of the files. */
  together: z.boolean(),
  changes: z.array(
    z.strictObject({
      path: z.string(),
      /** Where the new one waits; a new file below NEW_FILES, as it is to lie. */
      staged: z.string().optional(),
      /** Hash of it, where `together` asks for it. */
      becomes: z.string().optional(),
      was: z.string().nullable().optional(),
    }),
  ),
});
type Journal = z.infer<typeof journalSchema>;

/** Below the staging folder. */
const NEW_FILES = "new";
const JOURNAL = "journal.json";

/** Named after the process that owns it; the .gitignore of a project knows the name. */
const STAGING = /^generated\.tmp-(\d+)-(\d+)(?:-\d+)?$/;

/** Staging folders of this process that are in use, by their absolute paths. */
const inUse = new Set<string>();
let count = 0;

/**
 * Brings files from what they are to what they become, and says which of them it left; see decideChanges() and
 * DecidedChanges. `isStillSo` is asked when everybody else can see that this process is at work here. Where it says
 * no, and where one of the files is another by now, nothing has changed: undefined.
 */
export async function changeTogether(
  folder: ConfinedFolder,
  changes: readonly FileChange[],
  isStillSo: () => boolean,
): Promise<readonly string[] | undefined> {
  const decided = await decideChanges(folder, changes, { isStillSo });
  return decided?.carryOut();
}

/** Changes that will be made, now or by whoever comes next. */
export interface DecidedChanges {
  /**
   * Makes them. Resolves with the paths of files that somebody changed while it did, which stay as they are; undefined:
   * one was changed before, and so none of them is.
   */
  carryOut(): Promise<readonly string[] | undefined>;
}

/**
 * Brings files from what they are to what they become: all of them or, when this throws, none. New files come
 * first, then what is replaced, in the order given, then what goes: so a new file that an old one names is there.
 * Undefined: one of the files is another by now, and nothing is decided.
 *
 * @param options.together whoever finds the changes half done leaves them when a file is another by then
 * @param options.isStillSo see changeTogether(); where it says no, nothing is decided either
 */
export async function decideChanges(
  folder: ConfinedFolder,
  changes: readonly FileChange[],
  { together = false, isStillSo = () => true }: { together?: boolean; isStillSo?: () => boolean },
): Promise<DecidedChanges | undefined> {
  const staging = `generated.tmp-${process.pid}-${processStartTime(process.pid) ?? "0"}-${++count}`;
  const key = `${folder.root}/${staging}`;
  const durable = changes.some((change) => change.durable);
  let journal: Journal;
  const nothing = (): undefined => {
    clear(folder, staging);
    inUse.delete(key);
  };
  inUse.add(key);
  try {
    folder.makeFolder(staging);
    if (!isStillSo()) return nothing();
    journal = stage(folder, staging, changes, together);
    if (durable) await folder.flush(stagedDurably(staging, journal, changes));
    // That took its time; from here to the journal nobody has any.
    if (!areStill(folder, changes)) return nothing();
    folder.rename(`${staging}/journal.part`, `${staging}/${JOURNAL}`);
    if (durable) await folder.flush([staging, ""]);
  } catch (error) {
    nothing();
    throw error;
  }
  return {
    async carryOut() {
      try {
        if (durable && !areStill(folder, changes)) {
          folder.remove(`${staging}/${JOURNAL}`);
          folder.removeAll(staging);
          return undefined;
        }
        const left = carryOut(folder, staging, journal);
        const kept = changes.filter((change) => change.durable);
        await folder.flush([...new Set(kept.map(({ path }) => folderOf(path)))]);
        // The journal first: without it the rest is only litter.
        folder.remove(`${staging}/${JOURNAL}`);
        folder.removeAll(staging);
        return left;
      } finally {
        inUse.delete(key);
      }
    },
  };
}

/**
 * Finishes or clears what killed processes left. Returns the process id of one that is at work here now,
 * which is left alone.
 */
export function finishChanges(folder: ConfinedFolder): number | undefined {
  let busy: number | undefined;
  for (const name of folder.list("")) {
    const owner = STAGING.exec(name);
    if (owner === null || folder.stat(name)?.isDirectory() !== true) continue;
    const pid = Number(owner[1]);
    if (pid === process.pid ? inUse.has(`${folder.root}/${name}`) : isSameProcess(pid, owner[2]!)) {
      if (pid !== process.pid) busy = pid;
      continue;
    }
    const journal = parseJournal(folder.read(`${name}/${JOURNAL}`));
    if (journal !== undefined && !(journal.together && isOvertaken(folder, journal)))
      carryOut(folder, name, journal);
    folder.removeAll(name);
  }
  return busy;
}

function parseJournal(text: string | undefined): Journal | undefined {
  try {
    return journalSchema.parse(JSON.parse(text ?? ""));
  } catch {
    return undefined;
  }
}

/** Puts what the files become beside them, and the journal under another name. */
function stage(
  folder: ConfinedFolder,
  staging: string,
  changes: readonly FileChange[],
  together: boolean,
): Journal {
  const journal: Journal = {
    together,
    changes: changes.map(({ path, to, was }, index) => {
      if (to === undefined) return { path, was };
      const staged = was === undefined ? `${staging}/${NEW_FILES}/${path}` : `${staging}/${index}`;
      const like = "text" in to ? (to.modeOf ?? (was === undefined ? undefined : path)) : undefined;
      if ("text" in to) folder.create(staged, to.text, like === undefined ? undefined : folder.modeOf(like));
      else folder.link(to.fileAt, staged);
      return { path, staged, was, ...(together && "text" in to ? { becomes: contentHash(to.text) } : {}) };
    }),
  };
  folder.create(`${staging}/journal.part`, JSON.stringify(journal));
  return journal;
}

/** What has to be on the disk before the journal decides. */
const stagedDurably = (staging: string, journal: Journal, changes: readonly FileChange[]): string[] => [
  ...journal.changes.flatMap(({ staged }, index) =>
    staged !== undefined && changes[index]?.durable ? [staged] : [],
  ),
  `${staging}/journal.part`,
];

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Returns the paths of what was another by then, and stays. */
function carryOut(folder: ConfinedFolder, staging: string, { changes }: Journal): string[] {
  const left: string[] = [];
  const news = changes.flatMap(({ path, staged, was }) =>
    staged !== undefined && was === undefined ? [path.split("/")[0]!] : [],
  );
  for (const top of new Set(news)) left.push(...place(folder, `${staging}/${NEW_FILES}/${top}`, top));
  const filled = new Set<string>();
  for (const { path, staged, was } of changes) {
    if (staged === undefined) continue;
    filled.add(path);
    if (was === undefined || folder.stat(staged) === undefined) continue;
    if (isStill(folder, path, was)) folder.rename(staged, path);
    else left.push(path);
  }
  for (const { path, staged, was } of changes) {
    if (staged !== undefined || filled.has(path) || was === undefined) continue;
    if (isStill(folder, path, was)) {
      folder.remove(path);
      removeEmptyFolder(folder, path);
    } else if (folder.stat(path) !== undefined) left.push(path);
  }
  return left;
}

/**
 * Puts a new file in its place, or a folder of them: one that is not there yet as a whole (a folder with
 * something in it is never replaced by that), the rest file by file. What is there stays, and its path is returned.
 */
function place(folder: ConfinedFolder, from: string, to: string): string[] {
  const source = folder.stat(from);
  const there = folder.stat(to);
  if (source === undefined) return [];
  if (there === undefined) {
    if (source.isDirectory()) folder.rename(from, to);
    else folder.link(from, to);
    return [];
  }
  if (source.isDirectory() && there.isDirectory())
    return folder.list(from).flatMap((name) => place(folder, `${from}/${name}`, `${to}/${name}`));
  return source.ino === there.ino ? [] : [to];
}

/** Nobody has changed one of the files since; what is not for us to read is none of them. */
const areStill = (folder: ConfinedFolder, changes: readonly FileChange[]): boolean =>
  changes.every(({ path, was }) => unlessRefused(() => isStill(folder, path, was)) === true);

/** Somebody has changed one of the files since: it is neither what it was nor what it becomes. */
const isOvertaken = (folder: ConfinedFolder, { changes }: Journal): boolean =>
  changes.some(
    ({ path, was, becomes }) => !isStill(folder, path, was) && !isStill(folder, path, becomes ?? null),
  );

function isStill(folder: ConfinedFolder, path: string, was: string | null | undefined): boolean {
  if (was === null) return true;
  const bytes = folder.readBytes(path);
  if (bytes === undefined) return was === undefined;
  return was === contentHash(bytes) || was === contentHash(bytes.toString());
}

/** The folder that a file has left, if it was the last one; the first two levels stay. */
function removeEmptyFolder(folder: ConfinedFolder, path: string): void {
  const above = folderOf(path);
  if (above.split("/").length > 2) folder.removeIfEmpty(above);
}

/** On a full disk even this may fail; the next run clears what is left. */
function clear(folder: ConfinedFolder, staging: string): void {
  try {
    folder.removeAll(staging);
  } catch {
    // Reported by what failed first.
  }
}
