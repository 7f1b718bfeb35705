import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { realFileOps, type FileOps } from "./fileOps.js";

/** A file whose new content is on the disk under another name, waiting to take its place. */
export interface PreparedFile {
  /** Renames it into place and makes the rename durable. */
  commit(): Promise<void>;
  /** Removes the new content; the old file is as it was. */
  discard(): Promise<void>;
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_DIRECTORY } = constants;

/** How the files that wait are called, for whoever cleans up after a crash. */
export const isTemporaryName = (name: string): boolean => /^\..+\.[0-9a-f]{12}\.tmp$/.test(name);

/** Makes what was renamed in `folder` durable. */
export async function syncFolder(folder: string, ops: FileOps = realFileOps): Promise<void> {
  const handle = await ops.open(folder, O_RDONLY | O_DIRECTORY);
  try {
    await ops.sync(handle);
  } finally {
    await ops.close(handle);
  }
}

/**
 * Writes and syncs the new content beside `path`. Everything that can run out of space happens
 * here, before anything old is touched.
 */
export async function prepareFile(
  path: string,
  data: string | Uint8Array,
  options: { ops?: FileOps; mode?: number } = {},
): Promise<PreparedFile> {
  const { ops = realFileOps, mode = 0o644 } = options;
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  const discard = (): Promise<void> => ops.unlink(temporary).catch(() => undefined);
  const handle = await ops.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    try {
      await ops.write(handle, data);
      await ops.sync(handle);
    } finally {
      await ops.close(handle);
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    discard,
    async commit() {
      await ops.rename(temporary, path);
      await syncFolder(dirname(path), ops);
    },
  };
}

/** Replaces `path` by `data`: afterwards, and after any crash, it is the old file or the new one. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { ops?: FileOps; mode?: number } = {},
): Promise<void> {
  const prepared = await prepareFile(path, data, options);
  try {
    await prepared.commit();
  } catch (error) {
    await prepared.discard();
    throw error;
  }
}
