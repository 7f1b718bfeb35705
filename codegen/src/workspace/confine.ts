import { closeSync, readFileSync, type Stats } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { ConfinedFolder } from "../confine/index.js";

/** Thrown for a path that is, or leads, outside the folder it must stay in. */
export class OutsideError extends Error {
  constructor(readonly path: string) {
    super(`${path} is not a plain file inside the project`);
  }
}

/** A relative path as the server's own tables hold it: plain segments, nothing to resolve. */
export function isPlainRelative(path: string): boolean {
  if (path === "" || path.includes("\0") || path.includes("\\")) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

/** What `use` makes of a regular file below `root` that no link leads to. */
async function withConfined<T>(
  root: string,
  relative: string,
  use: (file: { path: string; descriptor: number; stats: Stats }) => T,
): Promise<T> {
  if (!isPlainRelative(relative)) throw new OutsideError(relative);
  const folder = new ConfinedFolder(await realpath(root));
  try {
    const file = folder.open(relative);
    if (file === undefined)
      throw Object.assign(new Error(`ENOENT: ${relative}`), { code: "ENOENT", path: relative });
    try {
      return use({ path: join(folder.root, relative), ...file });
    } finally {
      closeSync(file.descriptor);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === "ELOOP" || code === "ENOTDIR" ? new OutsideError(relative) : error;
  } finally {
    folder.close();
  }
}

/**
 * The absolute path and the mode of a regular file below `root` that no link leads to.
 *
 * @throws OutsideError for links and everything that is not a regular file; ENOENT as usual
 */
export const confinedFile = (root: string, relative: string): Promise<{ path: string; mode: number }> =>
  withConfined(root, relative, ({ path, stats }) => ({ path, mode: stats.mode & 0o777 }));

/** Reads a whole confined file of at most `limit` bytes. */
export const readConfined = (
  root: string,
  relative: string,
  limit: number,
): Promise<{ bytes: Buffer; stats: Stats }> =>
  withConfined(root, relative, ({ descriptor, stats }) => {
    if (stats.size > limit) throw new TooLargeError(relative, limit);
    return { bytes: readFileSync(descriptor), stats };
  });

export class TooLargeError extends Error {
  constructor(
    readonly path: string,
    readonly limit: number,
  ) {
    super(`${path} is larger than ${limit} bytes`);
  }
}
