import { problem, type Problem } from "../model/diagnostics/index.js";
import { contentHash, type ConfinedFolder } from "../disk/index.js";
import { CodeReader } from "./codeReader.js";
import { generatedHashes, MANIFEST_PATH, parseManifest, printManifest, type Manifest } from "./manifest.js";
import type { MovedSource, ProjectTree } from "./projectFile.js";
import { DrawingFollower } from "./followDrawing.js";
import type { DoubtfulWord } from "./renamedNames.js";
import type { Placed } from "./wordChanges.js";

/** A change to one of the user's files. Texts and hashes make it safe to carry out twice. */
export type UserChange =
  /** There was none. */
  | { kind: "create"; path: string; text: string }
  /** It was as its hash `was` says, and follows the drawing: a start that nobody had edited, or words in it. */
  | { kind: "refresh"; path: string; text: string; was: string }
  /**
   * Its place is elsewhere now; `text` is what stands there (undefined: the same file), `was` the hash of
   * the old one. `over`: hash of what stands there until then and has a place of its own among the moves.
   */
  | { kind: "move"; path: string; text: string | undefined; oldPath: string; was: string; over?: string };

/** What a file of the user's leaves for its author to decide. */
export interface LeftInFile {
  path: string;
  words: Placed<DoubtfulWord>[];
}

/** What differs between a project on disk and what it is to be. */
export interface Changes {
  /** Below generated/; `was`: hash of what is there. */
  write: { path: string; was?: string }[];
  /** The same, and starts that nobody had edited. */
  remove: { path: string; was: string }[];
  user: UserChange[];
  /** Words of the user's that may mean what was renamed, where they are in the end. */
  left: LeftInFile[];
  manifest: string;
  /** Hash of the one that is there. */
  manifestWas: string | undefined;
  problems: Problem[];
}

/** Compares, changes nothing. `force`: edited generated files are overwritten instead of reported. */
export function compare(folder: ConfinedFolder, tree: ProjectTree, force: boolean): Changes {
  const oldText = folder.read(MANIFEST_PATH);
  const old = parseManifest(oldText);
  const starts = Object.create(null) as Record<string, string>;
  const { user, left } = compareUserFiles(folder, tree, old, starts);
  const followed = tree.followed ?? old.followed;
  const manifest = printManifest({
    penstock: tree.version,
    topologyHash: tree.topologyHash,
    files: generatedHashes(tree.files),
    starts,
    sources: [...tree.sources],
    ...(followed === undefined ? {} : { followed }),
  });
  const { write, remove, problems } = compareGenerated(folder, tree, old, force);
  return {
    write,
    remove: [...remove, ...goneContainers(folder, tree, old)],
    problems,
    user,
    left,
    manifest,
    manifestWas: oldText === undefined ? undefined : contentHash(oldText),
  };
}

function compareGenerated(folder: ConfinedFolder, tree: ProjectTree, old: Manifest, force: boolean) {
  const write: Changes["write"] = [];
  const remove: Changes["remove"] = [];
  const problems: Problem[] = [];
  for (const file of tree.files.values()) {
    if (file.owner !== "generated") continue;
    const present = folder.read(file.path);
    if (present === file.text) continue;
    const was = present === undefined ? undefined : contentHash(present);
    write.push({ path: file.path, ...(was === undefined ? {} : { was }) });
    if (was !== undefined && was !== old.files[file.path]) problems.push(edited(file.path));
  }
  for (const [path, hash] of Object.entries(old.files)) {
    if (tree.files.has(path) || !path.startsWith("generated/")) continue;
    const present = folder.read(path);
    if (present === undefined) continue;
    const was = contentHash(present);
    remove.push({ path, was });
    if (was !== hash) problems.push(edited(path));
  }
  return { write, remove, problems: force ? [] : problems };
}

/** Files for Kubernetes of binaries that are no longer drawn; one that somebody has edited stays. */
function goneContainers(folder: ConfinedFolder, tree: ProjectTree, old: Manifest): Changes["remove"] {
  return Object.entries(old.starts).flatMap(([path, was]) => {
    if (tree.files.has(path) || !/^k8s\/[^/]+\.yaml$/.test(path)) return [];
    const present = folder.read(path);
    return present !== undefined && contentHash(present) === was ? [{ path, was }] : [];
  });
}

const edited = (path: string): Problem =>
  problem("PS701", "", `${path} was edited by hand; generating would lose that.`, { file: path });

function compareUserFiles(
  folder: ConfinedFolder,
  tree: ProjectTree,
  old: Manifest,
  starts: Record<string, string>,
): Pick<Changes, "user" | "left"> {
  const changes: UserChange[] = [];
  const left: LeftInFile[] = [];
  const { isBeside, read } = userFiles(folder, tree);
  const follower = new DrawingFollower(folder, tree, (oldPath, path) =>
    read(isBeside(path) ? path : oldPath),
  );
  const followed = (path: string, text: string, how: MovedSource): string => {
    const { text: after, left: words } = follower.follow(text, how);
    if (words.length > 0) left.push({ path, words });
    return after;
  };
  const movedTo = movesToMake(folder, tree, old);
  const movedFrom = new Set([...movedTo.values()].map(({ oldPath }) => oldPath));
  const stays = new Map(
    tree.moved.filter(({ path, oldPath }) => path === oldPath).map((moved) => [moved.path, moved]),
  );
  const former = new Map(tree.moved.map((moved) => [moved.path, moved.oldPath]));
  const waits = waitingFor(folder, old, former);
  // The sources are more than the files: a state header has no start, but may wait for its owner.
  const considered = new Set([
    ...tree.files.keys(),
    ...tree.moved.map((moved) => moved.path),
    ...tree.sources,
  ]);
  for (const path of considered) {
    const file = tree.files.get(path);
    if (file?.owner === "generated") continue;
    const start = file?.text;
    const present = read(path);
    if (present === undefined && isBeside(path) && folder.stat(path) !== undefined) continue;
    const moved = movedTo.get(path);
    if (moved !== undefined) {
      const untouched = old.starts[moved.oldPath] === contentHash(moved.source) && start !== undefined;
      const after = untouched ? start : followed(path, moved.source, moved);
      const text = after === moved.source ? undefined : after;
      const over = present === undefined ? {} : { over: contentHash(present) };
      changes.push({
        kind: "move",
        path,
        text,
        oldPath: moved.oldPath,
        was: contentHash(moved.source),
        ...over,
      });
      // What stood there belongs to nobody that is drawn.
      if (present !== undefined && !movedFrom.has(path)) changes.push(...detached(folder, path));
      if (start !== undefined) starts[path] = contentHash(start);
      continue;
    }
    if (present !== undefined && movedFrom.has(path)) {
      // It goes with its node, whose old name a new one has now.
      if (start === undefined) continue;
      changes.push({ kind: "refresh", path, text: start, was: contentHash(present) });
      starts[path] = contentHash(start);
      continue;
    }
    if (present !== undefined) {
      const known = old.starts[path];
      if (known !== undefined && known === contentHash(present)) {
        if (start !== undefined && start !== present)
          changes.push({ kind: "refresh", path, text: start, was: known });
      } else if (stays.has(path)) {
        const text = followed(path, present, stays.get(path)!);
        if (text !== present) changes.push({ kind: "refresh", path, text, was: contentHash(present) });
      }
      // What the start would be, whoever wrote the file: so a manifest depends on the drawing alone.
      if (start !== undefined) starts[path] = contentHash(start);
      else if (known !== undefined) starts[path] = known;
      continue;
    }
    const waiting = waits(path);
    if (waiting !== undefined) {
      const { oldPath, source } = waiting;
      const rename = tree.moved.find((moved) => moved.path === path);
      const after = rename === undefined ? source : followed(path, source, rename);
      const text = after === source ? undefined : after;
      changes.push({ kind: "move", path, text, oldPath, was: contentHash(source) });
      if (start !== undefined) starts[path] = contentHash(start);
      continue;
    }
    if (start === undefined) continue;
    starts[path] = contentHash(start);
    // One that is not needed and was there before, under whatever name: the user deleted it.
    const wasThere = old.starts[path] !== undefined || old.starts[former.get(path) ?? path] !== undefined;
    if (file!.required || !wasThere) changes.push({ kind: "create", path, text: start });
  }
  return { user: [...changes, ...detach(folder, tree, old, movedFrom)], left };
}

/**
 * Reads the user's files. What belongs to nobody that is drawn may be too long for code, or not be for us to read: it is
 * as if it was not there, and no generation fails of it.
 */
function userFiles(folder: ConfinedFolder, tree: ProjectTree) {
  const drawn = new Set([...tree.files.keys(), ...tree.sources]);
  const isBeside = (path: string): boolean => !drawn.has(path);
  const code = new CodeReader(folder);
  const besides = new Map<string, string | undefined>();
  const readBeside = (path: string): string | undefined => {
    if (!besides.has(path)) besides.set(path, code.read(path));
    return besides.get(path);
  };
  const read = (path: string): string | undefined =>
    isBeside(path) && folder.stat(path) !== undefined ? readBeside(path) : folder.read(path);
  return { isBeside, read };
}

/**
 * The moves by path, with the text that goes there: of files that are there, to places where nothing
 * is, or what the last generation had for another node of that name.
 */
function movesToMake(
  folder: ConfinedFolder,
  tree: ProjectTree,
  old: Manifest,
): Map<string, MovedSource & { source: string }> {
  const known = new Set(old.sources);
  return new Map(
    tree.moved.flatMap((moved) => {
      const source = moved.oldPath === moved.path ? undefined : folder.read(moved.oldPath);
      if (source === undefined) return [];
      const isFree = known.has(moved.path) || folder.read(moved.path) === undefined;
      return isFree ? [[moved.path, { ...moved, source }] as const] : [];
    }),
  );
}

/** Files of what is no longer drawn leave the build, not the disk. */
function detach(
  folder: ConfinedFolder,
  tree: ProjectTree,
  old: Manifest,
  movedFrom: ReadonlySet<string>,
): UserChange[] {
  const current = new Set(tree.sources);
  return old.sources.flatMap((oldPath): UserChange[] => {
    if (current.has(oldPath) || movedFrom.has(oldPath)) return [];
    return detached(folder, oldPath);
  });
}

/**
 * The file that waits for its owner to be drawn again, the last that went there. What waits under the new name of something
 * renamed is another's; under its old one it is its own if it was deleted, drawn again and renamed since the last generation.
 */
function waitingFor(folder: ConfinedFolder, old: Manifest, former: ReadonlyMap<string, string>) {
  const known = new Set(old.sources);
  return (path: string): { oldPath: string; source: string } | undefined => {
    const before = former.get(path) ?? path;
    if (before !== path && known.has(before)) return undefined;
    const oldPath = detachedCopies(folder, before)?.last;
    const source = oldPath === undefined ? undefined : folder.read(oldPath);
    return oldPath === undefined || source === undefined ? undefined : { oldPath, source };
  };
}

/** The move of a file to where it waits; none when it is not there. */
function detached(folder: ConfinedFolder, oldPath: string): UserChange[] {
  const path = detachedCopies(folder, oldPath)?.next;
  const text = path === undefined ? undefined : folder.read(oldPath);
  if (path === undefined || text === undefined) return [];
  return [{ kind: "move", path, text: undefined, oldPath, was: contentHash(text) }];
}

/**
 * Where a file waits in `_detached`, outside of what CMake looks at: the copy that came last, and the place of the one that
 * comes next.
 */
function detachedCopies(folder: ConfinedFolder, path: string) {
  const [top, ...rest] = path.split("/");
  if (top === undefined || !["src", "tests", "bench"].includes(top)) return undefined;
  const place = [top, "_detached", ...rest].join("/");
  let last: string | undefined;
  let next = place;
  for (let copy = 2; folder.stat(next) !== undefined; copy++) [last, next] = [next, `${place}.${copy}`];
  return { last, next };
}
