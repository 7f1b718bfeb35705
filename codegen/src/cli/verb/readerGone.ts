import type { EventEmitter } from "node:events";
import { EXIT } from "./exitCode.js";
import { interrupt } from "./interrupt.js";

/** Verbs with processes of their own, which they stop first. */
const HOLD_PROCESSES: ReadonlySet<string | undefined> = new Set(["run", "serve"]);

/**
 * A reader that went away (`penstock schema | head`, a terminal that was closed) is no error of ours: the verb ends, one
 * with processes as by a signal.
 */
export function endWhenNobodyReads(
  streams: readonly EventEmitter[],
  verb: string | undefined,
  exit: (code: number) => void = (code) => process.exit(code),
): void {
  let isGone = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    // What is written while it stops has no reader either.
    if (isGone) return;
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
    isGone = true;
    if (!HOLD_PROCESSES.has(verb) || !interrupt()) exit(EXIT.done);
  };
  for (const stream of streams) stream.on("error", onError);
}
