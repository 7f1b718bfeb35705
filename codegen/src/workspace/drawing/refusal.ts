import type { Problem } from "../../model/diagnostics/index.js";

export type RefusalCode =
  | "not-found"
  | "invalid"
  | "outside"
  | "exists"
  | "conflict"
  | "damaged"
  | "read-only"
  | "untrusted"
  | "busy"
  | "refused"
  | "disk-full"
  | "too-large"
  | "unavailable";

/** What a person asked for and did not get, with the reason and what to do about it. */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly help: string,
    readonly problems?: Problem[],
    /** Further fields of the answer, e.g. the current document of a conflict. */
    readonly extra?: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** Gives the file system's own refusals their name; everything else is passed on as it is. */
export function refusalOf(error: unknown, doing: string): unknown {
  if (error instanceof Refusal) return error;
  switch ((error as NodeJS.ErrnoException)?.code) {
    case "ENOSPC":
    case "EDQUOT":
      return new Refusal(
        "disk-full",
        `${doing}: disk full`,
        "Free some space on the workspace's disk and try again.",
      );
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return new Refusal(
        "read-only",
        `${doing}: the workspace cannot be written`,
        "Give this user the right to write it.",
      );
    case "EMFILE":
    case "ENFILE":
      return new Refusal("unavailable", `${doing}: no file descriptor is free`, "Try again in a moment.");
    default:
      return error;
  }
}
