import { isSameProcess, processStartTime } from "../process/index.js";
import type { Changes } from "./changes.js";
import type { ConfinedFolder } from "../confine/index.js";
import { sha256 } from "./hash.js";
import { JOURNAL_NAME, NEW_FILES, carryOut, parseJournal, type Journal } from "./journal.js";
import { MANIFEST_PATH } from "./manifest.js";
import type { ProjectTree } from "./projectFile.js";

const PATTERN = /^generated\.tmp-(\d+)-(\d+)$/;

/** Named after the process that owns it, so that the next one knows whether it is still at work. */
export const stagingName = (): string =>
  `generated.tmp-${process.pid}-${processStartTime(process.pid) ?? "0"}`;

/**
 * Finishes or clears what killed runs left. Returns the process id of one that is at work here now,
 * which is left alone.
 */
export function recover(folder: ConfinedFolder): number | undefined {
  let busy: number | undefined;
  for (const name of folder.list("")) {
    const owner = PATTERN.exec(name);
    if (owner === null || folder.stat(name)?.isDirectory() !== true) continue;
    const pid = Number(owner[1]);
    if (pid !== process.pid && isSameProcess(pid, owner[2]!)) {
      busy = pid;
      continue;
    }
    const journal = parseJournal(folder.read(`${name}/${JOURNAL_NAME}`));
    if (journal === undefined) folder.removeAll(name);
    else carryOut(folder, name, journal);
  }
  return busy;
}

/** Puts the whole new project beside the old one; the last step, the journal, decides. */
export function stage(folder: ConfinedFolder, staging: string, tree: ProjectTree, changes: Changes): Journal {
  const swap = changes.write.length > 0 || changes.remove.length > 0 || changes.manifestChanged;
  if (swap) {
    for (const path of changes.write) folder.create(`${staging}/${path}`, tree.files.get(path)!.text);
    for (const path of changes.unchanged) folder.link(path, `${staging}/${path}`);
    folder.create(`${staging}/${MANIFEST_PATH}`, changes.manifest);
    keepStrangers(folder, staging, "generated", new Set([...changes.remove, MANIFEST_PATH]));
  }
  const present = changes.user.filter((change) => change.kind !== "create");
  for (const change of changes.user)
    if (change.kind === "create") folder.create(`${staging}/${NEW_FILES}/${change.path}`, change.text);
  const before = folder.read(MANIFEST_PATH);
  const journal: Journal = {
    manifestBefore: before === undefined ? "" : sha256(before),
    manifestAfter: sha256(changes.manifest),
    swap,
    tree: folder.stat(`${staging}/generated`)?.ino ?? 0,
    user: present.map((change, index) => {
      const staged = `${staging}/user/${index}`;
      // What the user wrote is on the disk before its old place is cleared.
      if (change.kind === "move" && change.text === undefined) folder.link(change.oldPath, staged);
      else folder.create(staged, change.text ?? "", change.kind === "move");
      return {
        kind: change.kind,
        path: change.path,
        staged,
        was: change.was,
        ...(change.kind === "move" ? { oldPath: change.oldPath } : {}),
        ...(change.kind === "move" && change.over !== undefined ? { over: change.over } : {}),
      };
    }),
  };
  folder.create(`${staging}/journal.part`, JSON.stringify(journal));
  folder.rename(`${staging}/journal.part`, `${staging}/${JOURNAL_NAME}`);
  return journal;
}

/** Files in generated/ that are not Penstock's go along: only the manifest's are ever removed. */
function keepStrangers(
  folder: ConfinedFolder,
  staging: string,
  path: string,
  ours: ReadonlySet<string>,
): void {
  for (const name of folder.list(path)) {
    const inner = `${path}/${name}`;
    if (folder.stat(inner)?.isDirectory()) keepStrangers(folder, staging, inner, ours);
    else if (!ours.has(inner) && folder.stat(`${staging}/${inner}`) === undefined)
      folder.link(inner, `${staging}/${inner}`);
  }
}
