import { realpathSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { ConfinedFolder, refusalOf, WriteRefusal } from "../confine/index.js";
import { problem, type Problem } from "../diagnostics/index.js";
import { compare } from "./changes.js";
import { carryOut } from "./journal.js";
import type { ProjectTree } from "./projectFile.js";
import { recover, stage, stagingName } from "./staging.js";

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

/** How long to wait for another process that generates the same project. */
const BUSY_LIMIT_MS = 5_000;
const BUSY_POLL_MS = 20;

/** One at a time for each project in this process. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Brings the project in `dir` to `tree`: all of it or nothing (see journal.ts), touching only what
 * differs. Never throws for what the user can mend; reports it.
 */
export async function writeProject(
  dir: string,
  tree: ProjectTree,
  options: WriteOptions = {},
): Promise<WriteResult> {
  const key = realpathSync(dir);
  const before = queues.get(key) ?? Promise.resolve();
  const mine = before.then(() => writeNow(key, tree, options));
  const settled = mine.catch(() => {});
  queues.set(key, settled);
  try {
    return await mine;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}

async function writeNow(dir: string, tree: ProjectTree, options: WriteOptions): Promise<WriteResult> {
  const nothing = { written: [], unchanged: 0, removed: [] };
  let folder: ConfinedFolder | undefined;
  try {
    folder = new ConfinedFolder(dir, options.onStep);
    const busy = await untilFree(folder, options.dryRun === true);
    if (busy !== undefined)
      return {
        ...nothing,
        problems: [problem("PS706", "", `Process ${busy} is generating this project right now.`)],
      };
    const changes = compare(folder, tree, options.force === true);
    if (changes.problems.length > 0) return { ...nothing, problems: changes.problems };
    const filled = new Set(changes.user.map(({ path }) => path));
    const result = {
      problems: [],
      written: [...changes.write, ...changes.user.map((change) => change.path)].sort(),
      unchanged:
        tree.files.size - changes.write.length - changes.user.filter((c) => tree.files.has(c.path)).length,
      removed: [
        ...changes.remove,
        ...changes.user.flatMap((c) => (c.kind === "move" && !filled.has(c.oldPath) ? [c.oldPath] : [])),
      ].sort(),
    };
    const isNothing = result.written.length === 0 && result.removed.length === 0 && !changes.manifestChanged;
    if (options.dryRun || isNothing) return result;
    const staging = stagingName();
    let decided = false;
    try {
      folder.makeFolder(staging);
      const journal = stage(folder, staging, tree, changes);
      decided = true;
      carryOut(folder, staging, journal);
    } catch (error) {
      // Before the journal stands nothing has changed; after it the next run carries it out.
      if (!decided) clear(folder, staging);
      throw error;
    }
    return result;
  } catch (error) {
    const refusal = error instanceof WriteRefusal ? error : refusalOf(error, dir);
    if (refusal === undefined) throw error;
    return { ...nothing, problems: refusal.problems };
  } finally {
    folder?.close();
  }
}

async function untilFree(folder: ConfinedFolder, readOnly: boolean): Promise<number | undefined> {
  const end = performance.now() + BUSY_LIMIT_MS;
  for (;;) {
    const busy = readOnly ? undefined : recover(folder);
    if (busy === undefined || performance.now() > end) return busy;
    await delay(BUSY_POLL_MS);
  }
}

/** On a full disk even this may fail; the next run clears what is left. */
function clear(folder: ConfinedFolder, staging: string): void {
  try {
    folder.removeAll(staging);
  } catch {
    // Reported by what failed first.
  }
}

/** Finishes what a killed run left in `dir`; called before anything of a project is read. */
export function recoverProject(dir: string): void {
  const folder = new ConfinedFolder(dir);
  try {
    recover(folder);
  } finally {
    folder.close();
  }
}
