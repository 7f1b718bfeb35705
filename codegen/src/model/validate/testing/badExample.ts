import type { ProblemCode } from "../../diagnostics/index.js";
import type { GoodParts } from "./goodParts.js";

/** One mistake in an otherwise sound document, and where it has to be shown. */
export interface BadExample {
  code: ProblemCode;
  /** What the user did. */
  title: string;
  /** Spoils the good document; or the whole text of a document that is none. */
  spoil: ((parts: GoodParts) => void) | string | Uint8Array;
  pointer: string;
  node?: string;
  severity?: "error" | "warning";
  /** Part of the help, where it has to say something exact. */
  help?: string;
}

/** Gives a part keys or values that its type does not allow, as a hand-written file may. */
export const force = (part: object, wrong: Record<string, unknown>): void => void Object.assign(part, wrong);
