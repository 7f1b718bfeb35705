import type { Problem } from "../model/diagnostics/index.js";
import type { LoadSecond, LoadWhole } from "../contract/index.js";

/** One second as a driver saw it, before it is judged. */
export type DrivenSecond = Omit<LoadSecond, "second" | "held"> & {
  /** Due but never made: a full queue held the source back. */
  skipped: number;
};

/** Puts load on one kind of target. One call at a time. */
export interface LoadDriver {
  /** Resolves when the first second can begin. Throws LoadRefused when the target takes no load. */
  begin(): Promise<void>;
  /** Makes `rate` events within the next second and resolves at its end; null when the target is gone. */
  second(rate: number): Promise<DrivenSecond | null>;
  /** Waits, once the last second is over, for what is still on its way, if it was told to; ends with `end` at the latest. */
  drain(): Promise<void>;
  /** All that was sent until now, in the time since the first second began: what is done before one begins is none of it. */
  whole(): LoadWhole;
  /** Leaves the target as it was found. Never throws; also ends a `second` that is under way (with null). */
  end(): Promise<void>;
  /** Why events failed, the most frequent first. */
  failures(): { reason: string; count: number }[];
  /** After `end`: what could not be left as it was found. */
  left(): Problem[];
}

/** Why no load can be put on a target, in words for people. */
export class LoadRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly help: string,
    /** Something outside is in the way, the request makes no sense, or the target said no. */
    readonly kind: "environment" | "usage" | "refused",
  ) {
    super(message);
  }
}
