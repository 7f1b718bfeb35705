import { BINARIES } from "./catalogue/binaries.js";
import { BUILDING } from "./catalogue/building.js";
import { COMMANDS } from "./catalogue/commands.js";
import { DOCUMENT } from "./catalogue/document.js";
import type { CatalogueEntry } from "./catalogue/entry.js";
import { FLOWS } from "./catalogue/flows.js";
import { GENERATING } from "./catalogue/generating.js";
import { NAMES } from "./catalogue/names.js";
import { NOT_YET } from "./catalogue/notYet.js";
import { POOLS } from "./catalogue/pools.js";
import { RUNNING } from "./catalogue/running.js";
import { SERVICES } from "./catalogue/services.js";
import type { Problem, Severity } from "./problem.js";

/**
 * Every code there is. A code keeps its meaning for ever; one that is no longer reported is not given to
 * something else. 1xx to 6xx and 90x are checks of a topology, 7xx generating and commands to a running
 * binary, 8xx building and running, 99x the command line.
 */
export const CATALOGUE = {
  ...DOCUMENT,
  ...NAMES,
  ...SERVICES,
  ...FLOWS,
  ...POOLS,
  ...BINARIES,
  ...GENERATING,
  ...BUILDING,
  ...RUNNING,
  ...NOT_YET,
  ...COMMANDS,
};

export type ProblemCode = keyof typeof CATALOGUE;
export type { CatalogueEntry };

export const isProblemCode = (text: string): text is ProblemCode => Object.hasOwn(CATALOGUE, text);

/** What a rule knows beyond code, place and message. */
export interface ProblemDetails {
  /** Instead of the catalogue's help, where something more exact can be said. */
  help?: string;
  severity?: Severity;
  node?: string;
  file?: string;
  line?: number;
  column?: number;
}

/** A problem with severity and help from the catalogue unless `details` say otherwise. */
export function problem(
  code: ProblemCode,
  pointer: string,
  message: string,
  details: ProblemDetails = {},
): Problem {
  const entry: CatalogueEntry = CATALOGUE[code];
  const { help = entry.help, severity = entry.severity, ...rest } = details;
  return { code, severity, message, pointer, help, ...rest };
}
