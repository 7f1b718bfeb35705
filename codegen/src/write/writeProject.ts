import { realpathSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { problem, type Problem } from "../model/diagnostics/index.js";
import {
  changeTogether,
  ConfinedFolder,
  contentHash,
  finishChanges,
  KeyedMutex,
  refusalOf,
  WriteRefusal,
  type FileChange,
} from "../disk/index.js";
import { compare, type Changes } from "./changes.js";
import { MANIFEST_PATH } from "./manifest.js";
import type { ProjectTree } from "./projectFile.js";

export interface WriteOptions {
  /** Overwrite generated files that someone edited. */
  force?: boolean;
  /** Say what would change and change nothing. */
  dryRun?: boolean;
  /** Told before every change on disk; tests end the process there. */
  onStep?: (step: string) => void;
}

export interface WriteResult {
  problems: Problem[];
  /** Files made or replaced, the new places of moved ones among them. */
  written: string[];
  unchanged: number;
  /** Files removed, the old places of moved ones among them. */
  removed: string[];
}

/** How long to wait for another process that changes the same project. */
const BUSY_LIMIT_MS = 5_000;
const BUSY_POLL_MS = 20;

/** One at a time for each project in this process. */
const projects = new KeyedMutex();

/**
 * Brings the project in `dir` to `tree`: all of it or nothing (see disk/fileChanges.ts), touching only what
 * differs. Never throws for what the user can mend; reports it.
 */
export async function writeProject(
  dir: string,
  tree: ProjectTree,
  options: WriteOptions = {},
): Promise<WriteResult> {
  const root = realpathSync(dir);
  return projects.run(root, () => writeNow(root, tree, options));
}

async function writeNow(root: string, tree: ProjectTree, options: WriteOptions): Promise<WriteResult> {
  const nothing = { written: [], unchanged: 0, removed: [] };
  try {
    return await ConfinedFolder.within(
      root,
      async (folder) => {
        const end = performance.now() + BUSY_LIMIT_MS;
        for (;;) {
          const busy = await untilFree(folder, options.dryRun === true, end);
          if (busy !== undefined)
            return {
              ...nothing,
              problems: [problem("PS706", "", `Process ${busy} is generating this project right now.`)],
            };
          const changes = compare(folder, tree, options.force === true);
          if (changes.problems.length > 0) return { ...nothing, problems: changes.problems };
          const files = fileChanges(tree, changes);
          const isDone =
            files.length === 0 ||
            options.dryRun === true ||
            (await changeTogether(folder, files, () => isAlone(folder, changes)));
          if (isDone) return { problems: [], ...summaryOf(tree, changes) };
          // Others of its kind may have seen this one as well: not all come back at the same time.
          await delay(BUSY_POLL_MS * (1 + Math.random()));
        }
      },
      options.onStep,
    );
  } catch (error) {
    const refusal = error instanceof WriteRefusal ? error : refusalOf(error, root);
    if (refusal === undefined) throw error;
    return { ...nothing, problems: refusal.problems };
  }
}

/**
 * What changes on the disk, in an order in which each moment is a project that can be built: new files before
 * the generated ones that name them, files that take others' places when those have their own.
 */
function fileChanges(tree: ProjectTree, changes: Changes): FileChange[] {
  const { write, remove, user, manifest, manifestWas } = changes;
  const first: FileChange[] = [];
  const last: FileChange[] = [];
  const old: FileChange[] = [];
  for (const change of user) {
    const { path } = change;
    if (change.kind === "create") first.push({ path, to: { text: change.text } });
    else if (change.kind === "refresh") last.push({ path, to: { text: change.text }, was: change.was });
    else {
      const { text, oldPath, was, over } = change;
      const to = text === undefined ? { fileAt: oldPath } : { text };
      if (over === undefined) first.push({ path, to, durable: text !== undefined });
      else last.push({ path, to, was: over, durable: text !== undefined });
      old.push({ path: oldPath, was });
    }
  }
  const generated = write.map((file): FileChange => ({
    ...file,
    to: { text: tree.files.get(file.path)!.text },
  }));
  const isManifestNew = manifestWas !== contentHash(manifest);
  const listed: FileChange[] = isManifestNew
    ? [
        {
          path: MANIFEST_PATH,
          to: { text: manifest },
          ...(manifestWas === undefined ? {} : { was: manifestWas }),
        },
      ]
    : [];
  return [...first, ...generated, ...listed, ...last, ...remove, ...old];
}

function summaryOf(tree: ProjectTree, { write, remove, user }: Changes): Omit<WriteResult, "problems"> {
  const filled = new Set(user.map(({ path }) => path));
  return {
    written: [...write.map(({ path }) => path), ...filled].sort(),
    unchanged: tree.files.size - write.length - user.filter(({ path }) => tree.files.has(path)).length,
    removed: [
      ...remove.map(({ path }) => path),
      ...user.flatMap((c) => (c.kind === "move" && !filled.has(c.oldPath) ? [c.oldPath] : [])),
    ].sort(),
  };
}

/** Nobody else changes the project, and nobody has since it was compared. */
function isAlone(folder: ConfinedFolder, { manifestWas }: Changes): boolean {
  if (finishChanges(folder) !== undefined) return false;
  folder.forget("generated");
  const manifest = folder.read(MANIFEST_PATH);
  return manifestWas === (manifest === undefined ? undefined : contentHash(manifest));
}

/** The process that changes it, where that is still so at `end`. */
async function untilFree(
  folder: ConfinedFolder,
  readOnly: boolean,
  end: number,
): Promise<number | undefined> {
  for (;;) {
    const busy = readOnly ? undefined : finishChanges(folder);
    if (busy === undefined || performance.now() > end) return busy;
    await delay(BUSY_POLL_MS);
  }
}

/** Finishes what a killed process left in `dir`; called before anything of a project is read. */
export const recoverProject = (dir: string): void => {
  ConfinedFolder.within(dir, finishChanges);
};
