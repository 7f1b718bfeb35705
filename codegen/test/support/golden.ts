/** Golden projects that are kept whole: with each kind of file that a user gets once and then owns. */
const WHOLE: ReadonlySet<string> = new Set(["all-types", "nodes"]);

/** Whether a file of a golden project is kept to be compared: of most what is generated anew each time. */
export const isKept = (project: string, path: string): boolean =>
  WHOLE.has(project) || path === "topology.json" || path.startsWith("generated/");
