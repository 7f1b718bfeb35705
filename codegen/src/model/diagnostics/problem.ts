/** How bad a problem is: errors stop generation, warnings do not. */
export type Severity = "error" | "warning";

/**
 * One thing a person should know about, in the shape that the command line, the server and the
 * canvas share (the contract is in docs: `penstock ... --json` prints exactly this).
 */
export interface Problem {
  /** Stable code, `PS` and three digits; its meaning never changes once released. */
  code: string;
  severity: Severity;
  /** One sentence that names the thing at fault. */
  message: string;
  /** RFC 6901 JSON pointer into topology.json; `""` is the whole document. */
  pointer: string;
  /** What to do about it. */
  help: string;
  /** Where in a text it is; `file` is relative to the project, and left out for topology.json. */
  file?: string;
  line?: number;
  column?: number;
  /** The canvas node it belongs to, as a NodeRef string (`service:GetAd`). */
  node?: string;
}

/** True when nothing in `problems` stops generation. */
export const isClean = (problems: readonly Problem[]): boolean =>
  problems.every((problem) => problem.severity !== "error");
