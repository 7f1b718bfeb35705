import { CATALOGUE, type CatalogueEntry } from "../diagnostics/index.js";
import { RULES, RUNNABLE_RULES } from "../validate/index.js";

/** Every code there is: of the rules, and of all that is no rule. */
export const ALL_CODES: Readonly<Record<string, CatalogueEntry>> = Object.assign(
  { ...CATALOGUE },
  ...[...RULES, ...RUNNABLE_RULES].map(({ codes }) => codes),
);
