import { constants, type Stats } from "node:fs";
import { open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Thrown for a path that is, or leads, outside the folder it must stay in. */
export class OutsideError extends Error {
  constructor(readonly path: string) {
    super(`${path} is not a plain file inside the project`);
  }
}

const { O_NOFOLLOW, O_RDONLY, O_NONBLOCK } = constants;

/** A relative path as the server's own tables hold it: plain segments, nothing to resolve. */
export function isPlainRelative(path: string): boolean {
  if (path === "" || path.includes("\0") || path.includes("\\")) return false;
  return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

/**
 * The absolute path of `relative` below `root`, whose parent folder was found to be a real one
 * inside `root` (no symbolic link on the way).
 */
export async function confinedPath(root: string, relative: string): Promise<string> {
  if (!isPlainRelative(relative)) throw new OutsideError(relative);
  const realRoot = await realpath(root);
  const path = join(realRoot, ...relative.split("/"));
  const parent = await realpath(dirname(path));
  if (parent !== dirname(path)) throw new OutsideError(relative);
  return path;
}

/**
 * Opens a regular file below `root`. The last name is not followed (O_NOFOLLOW), and what was
 * opened is asked for its name again afterwards, so that a link put in between is noticed too.
 *
 * @throws OutsideError for links and everything that is not a regular file; ENOENT as usual
 */
export async function openConfined(
  root: string,
  relative: string,
  flags: number = O_RDONLY,
): Promise<{ handle: FileHandle; path: string; stats: Stats }> {
  const path = await confinedPath(root, relative);
  let handle: FileHandle;
  try {
    // O_NONBLOCK: a FIFO with a project file's name must not hang the server.
    handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") throw new OutsideError(relative);
    throw error;
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || (await openedName(handle)) !== path) throw new OutsideError(relative);
    return { handle, path, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openedName(handle: FileHandle): Promise<string> {
  return readlink(`/proc/self/fd/${handle.fd}`);
}

/** Reads a whole confined file of at most `limit` bytes. */
export async function readConfined(
  root: string,
  relative: string,
  limit: number,
): Promise<{ bytes: Buffer; stats: Stats }> {
  const { handle, stats } = await openConfined(root, relative);
  try {
    if (stats.size > limit) throw new TooLargeError(relative, limit);
    return { bytes: await handle.readFile(), stats };
  } finally {
    await handle.close();
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
