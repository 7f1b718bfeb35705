import { WriteRefusal } from "../../disk/index.js";
import type { Problem } from "../../model/diagnostics/index.js";
import { sourceStack } from "../../installation/index.js";
import { EXIT, type ExitCode } from "./exitCode.js";

/** Ends a verb with an exit code and one problem that says what happened and what helps. */
export class Failure extends Error {
  constructor(
    readonly exit: ExitCode,
    readonly code: string,
    message: string,
    readonly help: string,
  ) {
    super(message);
  }

  toProblem(): Problem {
    return { code: this.code, severity: "error", message: this.message, pointer: "", help: this.help };
  }
}

export const usageFailure = (message: string, help: string): Failure =>
  new Failure(EXIT.usage, "PS991", message, help);
export const environmentFailure = (message: string, help: string): Failure =>
  new Failure(EXIT.environment, "PS992", message, help);

/** What the system says, in words for people, and what to do about it. */
const SYSTEM: Record<string, [words: string, help: string]> = {
  EACCES: ["permission denied", "Check who owns it; files made by root have to be given back with chown."],
  EPERM: ["operation not permitted", "Check who owns it and how the file system is mounted."],
  EROFS: ["the file system is read-only", "Choose a folder that can be written."],
  ENOSPC: ["the disk is full", "Free some space and run the same command again."],
  EDQUOT: ["the disk quota is used up", "Free some space and run the same command again."],
  EMFILE: ["too many open files", "Raise the limit with `ulimit -n` and run the same command again."],
  ENOTDIR: ["a file is where a folder is needed", "Name a folder."],
  EEXIST: ["there is something else of that name", "Choose another name."],
  EISDIR: ["a folder is where a file is needed", "Name a file."],
  ENAMETOOLONG: ["the name is too long for the file system", "Choose a shorter one."],
  ELOOP: ["links lead in a circle", "Name the folder itself."],
  EADDRINUSE: [
    "the port is in use by another process",
    "Choose another one with --port, or 0 for any free port.",
  ],
  EADDRNOTAVAIL: [
    "this machine does not have that address",
    "Choose an address of this machine with --host.",
  ],
  EWORKSPACELOCKED: [
    "another Penstock server uses this workspace",
    "Use that one (`penstock open`), or choose another folder with --workspace.",
  ],
};

interface SystemError extends Error {
  code: string;
  path?: string;
  port?: number;
}
const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && "code" in error && typeof error.code === "string";

/**
 * The failure that stands for anything thrown: our own as it is, what the environment did as exit
 * 3, and everything else as a bug of ours with what to report.
 */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof WriteRefusal && error.problems[0] !== undefined) {
    const { code, message, help } = error.problems[0];
    return new Failure(EXIT.environment, code, message, help);
  }
  if (isSystemError(error)) {
    const known = SYSTEM[error.code];
    if (known !== undefined) {
      const where = error.path ?? (error.port === undefined ? "" : `port ${error.port}`);
      const ours =
        error.code === "EWORKSPACELOCKED" ? error.message : `${known[0]}${where === "" ? "" : `: ${where}`}`;
      return environmentFailure(ours, known[1]);
    }
  }
  const text = error instanceof Error ? sourceStack(error.stack ?? error.message) : String(error);
  return new Failure(
    EXIT.internal,
    "PS990",
    `internal error: ${text}`,
    "This is a bug in Penstock. Please report the text above together with the output of `penstock doctor --json` and, if you may share it, topology.json.",
  );
}
