import type { UserChange } from "./changes.js";
import type { ConfinedFolder } from "../confine/index.js";
import { exchange } from "./exchange.js";
import { sha256 } from "./hash.js";
import { MANIFEST_PATH } from "./manifest.js";

/**
 * A generation that is decided: from the moment its journal stands in the staging folder, it is
 * carried to its end, by this process or by the next one. Until then nothing of the project has
 * changed. The steps and why each moment in between is a whole project:
 *
 *   1. new files of the user's are put into place       the old generated/ does not name them
 *   2. generated/ changes places with the staged one    one step of the file system
 *   3. files that stand where others come from, and     each is of the node that has the name; what
 *      edited-by-nobody starts, are replaced             stood there has got its own place in 1
 *   4. old places of moved files and the staging         the new generated/ does not name them
 *      folder are cleared
 *
 * Every step looks before it acts, so a journal can be carried out any number of times.
 */
export interface Journal {
  /** Hashes of generated/manifest.json before ("" when there was none) and after. */
  manifestBefore: string;
  manifestAfter: string;
  swap: boolean;
  /** Inode of the staged generated/: tells a swap that has happened even where the manifests are equal. */
  tree: number;
  /** Changes to files that are there; the new ones stand below NEW_FILES as they are to lie in the project. */
  user: {
    kind: UserChange["kind"];
    path: string;
    staged: string;
    oldPath?: string;
    was?: string;
    over?: string;
  }[];
}

/** Below the staging folder: the user's new files, in their places. */
export const NEW_FILES = "new";

export const JOURNAL_NAME = "journal.json";

export function parseJournal(text: string | undefined): Journal | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Journal;
  } catch {
    return undefined;
  }
}

/** Brings the project to what the journal of `staging` says, then removes `staging`. */
export function carryOut(folder: ConfinedFolder, staging: string, journal: Journal): void {
  place(folder, `${staging}/${NEW_FILES}`, "");
  for (const change of journal.user)
    if (
      change.kind === "move" &&
      folder.stat(change.path) === undefined &&
      folder.stat(change.staged) !== undefined
    )
      folder.link(change.staged, change.path);
  if (journal.swap) swap(folder, staging, journal);
  const filled = new Set<string>();
  for (const change of journal.user) {
    const gone = change.kind === "refresh" ? change.was : change.over;
    if (gone === undefined) continue;
    filled.add(change.path);
    if (isStill(folder, change.path, gone) && folder.stat(change.staged) !== undefined)
      folder.rename(change.staged, change.path);
  }
  for (const change of journal.user) {
    if (
      change.kind === "move" &&
      change.oldPath !== undefined &&
      !filled.has(change.oldPath) &&
      isStill(folder, change.oldPath, change.was)
    ) {
      folder.remove(change.oldPath);
      removeEmptyFolders(folder, change.oldPath);
    }
  }
  folder.removeAll(staging);
}

/**
 * Puts what lies in `from` into `to`: a folder that is not there yet as a whole (a folder with
 * something in it is never replaced by that), the rest file by file. What is there stays.
 */
function place(folder: ConfinedFolder, from: string, to: string): void {
  for (const name of folder.list(from)) {
    const source = `${from}/${name}`;
    const target = to === "" ? name : `${to}/${name}`;
    const there = folder.stat(target);
    if (!folder.stat(source)?.isDirectory()) {
      if (there === undefined) folder.link(source, target);
    } else if (there === undefined) folder.rename(source, target);
    else if (there.isDirectory()) place(folder, source, target);
  }
}

function swap(folder: ConfinedFolder, staging: string, journal: Journal): void {
  const tree = `${staging}/generated`;
  if (folder.stat("generated")?.ino === journal.tree) return;
  const present = folder.read(MANIFEST_PATH);
  const differ = journal.manifestBefore !== journal.manifestAfter;
  if (differ && present !== undefined && sha256(present) === journal.manifestAfter) return;
  if (folder.stat(tree) === undefined) return;
  if (folder.stat("generated") === undefined) return folder.rename(tree, "generated");
  if (!folder.exchange("generated", tree, exchange)) {
    folder.rename("generated", `${staging}/old`);
    folder.rename(tree, "generated");
  }
}

const isStill = (folder: ConfinedFolder, path: string, was: string | undefined): boolean => {
  const text = folder.read(path);
  return text !== undefined && sha256(text) === was;
};

/** The folder of a moved implementation, if it was the last one. */
function removeEmptyFolders(folder: ConfinedFolder, path: string): void {
  const above = path.slice(0, path.lastIndexOf("/"));
  if (above.split("/").length > 2) folder.removeIfEmpty(above);
}
