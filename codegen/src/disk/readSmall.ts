import { closeSync, constants, openSync, readSync, statSync } from "node:fs";

const { O_NONBLOCK, O_RDONLY } = constants;

/**
 * What a file of at most `limit` bytes holds, links followed; undefined where there is none that can be read. In a project that
 * came from elsewhere it may be anything: a pipe is neither opened nor waited for, and no more than that is read of what has no end.
 */
export function readSmall(path: string, limit: number): Buffer | undefined {
  let file: number | undefined;
  try {
    if (!statSync(path).isFile()) return undefined;
    file = openSync(path, O_RDONLY | O_NONBLOCK);
    const bytes = Buffer.alloc(limit + 1);
    let size = 0;
    for (let more = -1; more !== 0 && size <= limit; size += more)
      more = readSync(file, bytes, size, bytes.length - size, null);
    return size > limit ? undefined : bytes.subarray(0, size);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
