import type { CatalogueEntry } from "./entry.js";

export const IMPORTING = {
  PS980: {
    severity: "error",
    title: "Description cannot be read",
    explanation: "A file that is imported, or one that it imports, has an error, or is not found.",
    help: "Correct the file; name the folders in which it finds others with -I, or drop those files, too.",
  },
  PS981: {
    severity: "error",
    title: "Described without a counterpart",
    explanation:
      "The description has something that a drawing cannot say, as streams, groups, default values and extensions. Nothing is left out without a word.",
    help: "Import without it (--leave-out, in the browser Leave out, and import the rest), or change the description.",
  },
} as const satisfies Record<string, CatalogueEntry>;
