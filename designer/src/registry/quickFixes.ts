import { contributed, type FixSource } from "./feature.js";

/** Every fix that a feature has for a problem. */
export const quickFixes: FixSource = (problem, topology) =>
  contributed("fixes").flatMap((fixes) => fixes(problem, topology));
