import { isOfEnvironment, type Problem } from "../../model/diagnostics/index.js";

/** Exit codes of every verb; stable, scripts rely on them. */
export const EXIT = {
  done: 0,
  /** The input has errors, or the build or a test of the user's project failed. */
  failed: 1,
  usage: 2,
  /** Something outside is in the way: a missing tool, a busy port, a full disk, a locked workspace. */
  environment: 3,
  /** A bug in Penstock. */
  internal: 4,
  /** A project from elsewhere that nobody has said yes to. */
  untrusted: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Of something that ended with problems: a machine that is in the way alone, or the project as well. */
export function exitOfProblems(problems: readonly Problem[]): ExitCode {
  const errors = problems.filter(({ severity }) => severity === "error");
  return errors.length > 0 && errors.every(isOfEnvironment) ? EXIT.environment : EXIT.failed;
}

/** What a build or a measurement came to, as an exit code. */
export const EXIT_OF = {
  succeeded: EXIT.done,
  failed: EXIT.failed,
  cancelled: EXIT.interrupted,
  environment: EXIT.environment,
} as const;
