import type { Severity } from "../problem.js";

/** What is known about a code before anything goes wrong; `docs/errors.md` is made of these. */
export interface CatalogueEntry {
  /** How bad it is unless the rule says otherwise. */
  severity: Severity;
  /** A few words, as a heading. */
  title: string;
  /** Why it is a problem. */
  explanation: string;
  /** What to do about it, where the rule knows nothing more exact. */
  help: string;
}
