import { suggest } from "../model/diagnostics/index.js";
import { parseArguments } from "./verb/arguments.js";
import { EXIT, type ExitCode } from "./verb/exitCode.js";
import { asFailure, type Failure, usageFailure } from "./verb/failure.js";
import { generalHelp, verbHelp } from "./help.js";
import { interruptSignal } from "./verb/interrupt.js";
import { endWhenNobodyReads } from "./verb/readerGone.js";
import { Output } from "./terminal/output.js";
import { version } from "../installation/index.js";
import { VERBS } from "./verbs.js";

/** Those print one object a line, each with its event; the others one document. */
const GOES_ON: ReadonlySet<string | undefined> = new Set(["run", "monitor", "serve"]);

function report(failure: Failure, output: Output, verb: string | undefined): ExitCode {
  const problem = failure.toProblem();
  output.problems([problem]);
  const end = { ok: false, problems: [problem] };
  if (GOES_ON.has(verb)) output.event({ event: "failed", ...end });
  else output.document(end);
  return failure.exit;
}

async function dispatch(name: string, args: readonly string[], output: Output): Promise<ExitCode> {
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (verb === undefined) {
    const near = suggest(name, Object.keys(VERBS));
    throw usageFailure(
      name.startsWith("-")
        ? `an option comes after a verb: ${name}`
        : `there is no verb ${JSON.stringify(name)}`,
      near === undefined ? "`penstock --help` lists the verbs." : `Did you mean \`penstock ${near}\`?`,
    );
  }
  const { command } = await verb.load();
  const { positionals, values } = parseArguments(name, command, args);
  if (values["help"] === true) {
    process.stdout.write(`${verbHelp(name, command)}\n`);
    return EXIT.done;
  }
  const signal = interruptSignal();
  const code = await command.run({
    positionals,
    flag: (option) => values[option] === true,
    value: (option) => {
      const value = values[option];
      return typeof value === "string" ? value : undefined;
    },
    all: (option) => {
      const value = values[option];
      return Array.isArray(value) ? value : [];
    },
    output,
    signal,
  });
  return code;
}

/** Ends the process once stdout is written, even if a connection somewhere was left open. */
function endSoon(): void {
  const timer = setInterval(() => {
    if (process.stdout.writableLength === 0) process.exit();
  }, 250);
  timer.unref();
}

/**
 * Runs one verb and ends the process with its exit code; a raw exception never reaches the user.
 * `--json` and `--quiet` hold for usage errors too, so they are looked for before anything else.
 */
export async function main(args: readonly string[]): Promise<void> {
  const output = new Output({ json: args.includes("--json"), quiet: args.includes("--quiet") });
  const [first, ...rest] = args;
  endWhenNobodyReads([process.stdout, process.stderr], first);
  const crash = (error: unknown): never => process.exit(report(asFailure(error), output, first));
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  try {
    if (first === undefined) {
      process.stderr.write(`${generalHelp()}\n`);
      process.exitCode = EXIT.usage;
    } else if (first === "--help" || first === "-h" || first === "help") {
      process.stdout.write(`${generalHelp()}\n`);
    } else if (first === "--version") {
      process.stdout.write(`penstock ${version()}\n`);
    } else {
      process.exitCode = await dispatch(first, rest, output);
    }
  } catch (error) {
    process.exitCode = report(asFailure(error), output, first);
  }
  endSoon();
}
