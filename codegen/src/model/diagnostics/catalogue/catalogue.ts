import { BUILDING } from "./building.js";
import { COMMANDS } from "./commands.js";
import { DOCUMENT } from "./document.js";
import type { CatalogueEntry } from "./entry.js";
import { GENERATING } from "./generating.js";
import { IMPORTING } from "./importing.js";
import { RUNNING } from "./running.js";
import type { Problem, Severity } from "../problem.js";

/**
 * Every code but those of the rules, which have theirs beside what they look for. A code keeps its meaning for ever;
 * one that is no longer reported is not given to something else. 1xx is reading a document, 7xx generating and
 * commands to a running binary, 8xx building and running, 98x importing, 99x the command line.
 */
export const CATALOGUE = {
  ...DOCUMENT,
  ...GENERATING,
  ...BUILDING,
  ...RUNNING,
  ...COMMANDS,
  ...IMPORTING,
};

export type ProblemCode = keyof typeof CATALOGUE;
export type { CatalogueEntry };

/** What is known beyond code, place and message. */
export interface ProblemDetails {
  /** Instead of the catalogue's help, where something more exact can be said. */
  help?: string;
  severity?: Severity;
  node?: string;
  file?: string;
  line?: number;
  column?: number;
}

/** A problem with severity and help from its row unless `details` say otherwise. */
export function problemOf(
  code: string,
  row: CatalogueEntry,
  pointer: string,
  message: string,
  details: ProblemDetails = {},
): Problem {
  const { help = row.help, severity = row.severity, ...rest } = details;
  return { code, severity, message, pointer, help, ...rest };
}

/** A problem that no rule reports, by its row of the catalogue. */
export const problem = (
  code: ProblemCode,
  pointer: string,
  message: string,
  details?: ProblemDetails,
): Problem => problemOf(code, CATALOGUE[code], pointer, message, details);
