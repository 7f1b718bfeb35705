import { ConfinedFolder, contentHash } from "../disk/index.js";
import { isTooLong } from "./codeReader.js";
import { MANIFEST_PATH, parseManifest } from "./manifest.js";

/** Whether a file of the user's is there, and whether anything but Penstock's start is in it. */
export interface SourceState {
  exists: boolean;
  written: boolean;
}

/** `starts`: path and the start that generating today would write ("" where it would write none). */
export function sourceStates(dir: string, starts: ReadonlyMap<string, string>): Map<string, SourceState> {
  return ConfinedFolder.within(dir, (folder) => {
    const manifest = parseManifest(folder.read(MANIFEST_PATH));
    return new Map(
      [...starts].map(([path, start]) => {
        // What Penstock writes of a user's file is never that long.
        const stats = folder.stat(path);
        if (stats?.isFile() === true && isTooLong(stats.size)) return [path, { exists: true, written: true }];
        const text = folder.read(path);
        const isStart = text === start || (text !== undefined && manifest.starts[path] === contentHash(text));
        return [path, { exists: text !== undefined, written: text !== undefined && !isStart }];
      }),
    );
  });
}

/** Where the user's files lie. */
const OWN_FOLDERS = /^(src|tests|bench)\//;

/**
 * The user's files of the last generation that still are where it left them, and by their paths the hashes of the starts
 * that it wrote; none where the file is older than it.
 */
export const generatedSources = (dir: string): Map<string, string | undefined> =>
  ConfinedFolder.within(dir, (folder) => {
    const { sources, starts } = parseManifest(folder.read(MANIFEST_PATH));
    const there = sources.filter((path) => OWN_FOLDERS.test(path) && folder.stat(path)?.isFile() === true);
    return new Map(there.map((path) => [path, starts[path]]));
  });

/** undefined: there is none. */
export const hashOfManifest = (dir: string): string | undefined =>
  ConfinedFolder.within(dir, (folder) => {
    const text = folder.read(MANIFEST_PATH);
    return text === undefined ? undefined : contentHash(text);
  });

/** Id of the last rename that the files of the project in `dir` have followed; undefined: of none. */
export const lastFollowed = (dir: string): string | undefined =>
  ConfinedFolder.within(dir, (folder) => parseManifest(folder.read(MANIFEST_PATH)).followed);
