import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { makeStateDir } from "../../process/index.js";
import { removeEndedLogs } from "./endedLogs.js";
import { RotatedFile } from "./rotatedFile.js";

/** A full file becomes `FILE.1` and is begun anew: between them they have at least the last so many bytes. */
export const FULL_BYTES = 5_000_000;
/** What is left in the pipe of a binary that has ended is read long before, on a busy machine too. */
const DRAIN_MS = 10_000;

/**
 * `split` cuts by bytes and gives each piece, as it comes, to a command that writes it; were the
 * command to fail (a full disk), `split` would end, so it does not. Whatever becomes of `split`,
 * what reads on throws the rest away.
 */
const SCRIPT = `umask 077
split -b ${FULL_BYTES} --filter='[ ! -e "$LOG" ] || mv -f "$LOG" "$LOG.1"; cat > "$LOG"; :'
exec cat > /dev/null`;

/** Where the output of a binary goes that outlives whoever started it. */
export interface DetachedOutput {
  logger: ChildProcess;
  path: string;
  /** Gives what was written since the last time. */
  readOn(take: (chunk: Buffer) => void): Promise<void>;
  /** The same once the binary has ended, to the end; what it started and left behind may still be writing. */
  readToEnd(take: (chunk: Buffer) => void): Promise<void>;
}

/**
 * A small process that keeps the last 5 to 10 MB of a binary's output in two files, so that the
 * binary never meets a closed pipe and never fills the disk. It ends with the binary. Of those that ended before,
 * all but the last files go.
 */
export async function openDetachedOutput(binary: string): Promise<DetachedOutput> {
  const folder = await makeStateDir("logs");
  // What cannot be removed is in nobody's way.
  await removeEndedLogs(folder, "LOG").catch(() => undefined);
  const path = join(folder, `${binary}-${randomBytes(4).toString("hex")}.log`);
  const logger = spawn("/bin/sh", ["-c", SCRIPT], {
    // split asks SHELL to run the command.
    env: { ...process.env, SHELL: "/bin/sh", LOG: path },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  logger.unref();
  const ended = new Promise<void>((resolve) => logger.once("exit", () => resolve()));
  const file = new RotatedFile(path);
  const readToEnd = async (take: (chunk: Buffer) => void): Promise<void> => {
    logger.ref();
    const limit = new AbortController();
    await Promise.race([
      ended,
      setTimeout(DRAIN_MS, undefined, { signal: limit.signal }).catch(() => undefined),
    ]);
    limit.abort();
    logger.unref();
    await file.readOn(take);
    await file.close();
  };
  return { logger, path, readOn: (take) => file.readOn(take), readToEnd };
}
