import { closeSync, readFileSync, type Stats } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ConfinedFolder } from "./confinedFolder.js";
import { contentHash } from "./contentHash.js";

/** Thrown for a path that is, or leads, outside the folder it must stay in. */
export class OutsideError extends Error {
  constructor(readonly path: string) {
    super(`${path} is not a plain file inside the project`);
  }
}

export class TooLargeError extends Error {
  constructor(
    readonly path: string,
    readonly limit: number,
  ) {
    super(`${path} is larger than ${limit} bytes`);
  }
}

/** A relative path as the server's own tables hold it: plain segments, nothing to resolve. */
export function isPlainRelative(path: string): boolean {
  if (path === "" || path.includes("\0") || path.includes("\\")) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

type PlainFile = NonNullable<ReturnType<ConfinedFolder["open"]>>;

/** What `use` makes of a regular file below `root` that no link leads to. */
async function withPlain<T>(
  root: string,
  relative: string,
  use: (file: PlainFile, folder: ConfinedFolder) => T | Promise<T>,
  onStep?: (step: string) => void,
): Promise<T> {
  if (!isPlainRelative(relative)) throw new OutsideError(relative);
  try {
    return await ConfinedFolder.within(
      await realpath(root),
      async (folder) => {
        const file = folder.open(relative);
        if (file === undefined)
          throw Object.assign(new Error(`ENOENT: ${relative}`), { code: "ENOENT", path: relative });
        try {
          return await use(file, folder);
        } finally {
          closeSync(file.descriptor);
        }
      },
      onStep,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ELOOP" || code === "ENOTDIR" ? new OutsideError(relative) : error;
  }
}

/**
 * Reads a whole plain file of at most `limit` bytes.
 *
 * @throws OutsideError for links and everything that is not a regular file; ENOENT as usual
 */
export const readPlain = (
  root: string,
  relative: string,
  limit: number,
): Promise<{ bytes: Buffer; stats: Stats }> =>
  withPlain(root, relative, ({ descriptor, stats }) => {
    if (stats.size > limit) throw new TooLargeError(relative, limit);
    return { bytes: readFileSync(descriptor), stats };
  });

/**
 * Puts a text in the place of a plain file of that content hash, its mode kept; false: another one is there by now,
 * or none, and that stays so. The folder it lies in is known by its descriptor: a link put in its place meanwhile
 * leads nowhere. Throws as readPlain() does.
 *
 * @param onStep told before each change on disk: tests change the folder there
 */
export const replacePlain = (
  root: string,
  relative: string,
  text: string,
  was: string,
  onStep?: (step: string) => void,
): Promise<boolean> =>
  withPlain(
    root,
    relative,
    (_, folder) => {
      const isStillSo = (): boolean => {
        const bytes = folder.readBytes(relative);
        return bytes !== undefined && contentHash(bytes) === was;
      };
      return folder.replaceIf(relative, text, isStillSo);
    },
    onStep,
  );

/**
 * Puts a text in the place of a file in a folder of ours, or makes it: afterwards, and after any crash, it is the
 * old file or the new one. Its mode stays, unless one is named.
 */
export const replaceFile = (path: string, text: string, mode?: number): Promise<void> =>
  ConfinedFolder.within(dirname(path), (folder) =>
    folder.replace(basename(path), text, { mode, durable: true }),
  );
