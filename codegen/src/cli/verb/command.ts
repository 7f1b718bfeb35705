import type { ExitCode } from "./exitCode.js";
import type { Output } from "../terminal/output.js";

/** An option of a verb besides the ones that every verb has (`--json`, `--quiet`, `--help`). */
export interface OptionSpec {
  type: "boolean" | "string";
  /** The word for its value in the help: `--preset NAME`. */
  value?: string;
  /** The only values it takes. */
  oneOf?: readonly string[];
  /** It may be given more than once. */
  many?: boolean;
  /** One letter that stands for it, too: `-I`. */
  short?: string;
  doc: string;
}

/** What a verb is started with, after its arguments have passed the checks. */
export interface Invocation {
  positionals: readonly string[];
  /** True for a boolean option that was given, its text for one with a value. */
  flag: (name: string) => boolean;
  value: (name: string) => string | undefined;
  /** Every text that an option of `many` was given. */
  all: (name: string) => readonly string[];
  output: Output;
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
}

/** One verb; its file is named after it and loaded only when it is asked for. */
export interface Command {
  /** Words after the verb in its usage line: `[PROJECT] [--dry-run]`. */
  usage: string;
  /** What it does, in a few lines. */
  doc: string;
  /** Names of positionals for messages, and how many there may be. */
  positionals: { min: number; max: number };
  options: Readonly<Record<string, OptionSpec>>;
  examples: readonly string[];
  /** Checks what the option specs cannot say and runs; throws `Failure` for what ends it early. */
  run(invocation: Invocation): Promise<ExitCode>;
}
