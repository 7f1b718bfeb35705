import type { Problem } from "../../model/diagnostics/index.js";
import { type Paint, paintFor, PLAIN } from "./paint.js";
import { problemLines } from "./problemLines.js";
import { terminalJson, terminalText } from "./terminalText.js";

interface OutputOptions {
  json: boolean;
  quiet: boolean;
}

/**
 * Where a verb says things. What was asked for goes to stdout, words about it to stderr; with
 * `--json` stdout holds documents only, with `--quiet` only results and problems are printed.
 */
export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  /** True when stderr may be redrawn: progress bars. */
  readonly live: boolean;
  /** Colours for stdout and for stderr. */
  readonly paint: Paint;
  readonly notePaint: Paint;

  constructor(options: OutputOptions) {
    this.json = options.json;
    this.quiet = options.quiet;
    this.live = process.stderr.isTTY === true && process.env["TERM"] !== "dumb" && !options.quiet;
    this.paint = paintFor(process.stdout.isTTY === true, process.env);
    this.notePaint = paintFor(process.stderr.isTTY === true, process.env);
  }

  /** The result for people; nothing with `--json`. */
  result(text: string): void {
    if (!this.json) this.#toStdout(text);
  }

  /** A word about what goes on; nothing with `--quiet`. */
  note(text: string): void {
    if (!this.quiet) this.#toStderr(text);
  }

  /** Problems for people, on stderr, even with `--quiet`; nothing with `--json`, whose document has them. */
  problems(problems: readonly Problem[]): void {
    if (this.json) return;
    for (const problem of problems) this.#toStderr(problemLines(problem, this.notePaint));
  }

  /** What was asked for and did not come, on stderr, even with `--quiet`; nothing with `--json`. */
  refusal(text: string): void {
    if (!this.json) this.#toStderr(text);
  }

  /** The one document of a one-shot verb with `--json`; `ok` and `problems` are always there. */
  document(body: { ok: boolean; problems: readonly Problem[] } & Record<string, unknown>): void {
    if (this.json) process.stdout.write(`${terminalJson(body)}\n`);
  }

  /** One object a line, of verbs that go on. */
  event(body: { event: string } & Record<string, unknown>): void {
    if (this.json) process.stdout.write(`${terminalJson(body)}\n`);
  }

  /** Draws the line of something that goes on over the one before; `""` clears it. Only where stderr is `live`. */
  redraw(line: string): void {
    process.stderr.write(`\r\u001b[2K${terminalText(line, false)}`);
  }

  #toStdout(text: string): void {
    process.stdout.write(`${terminalText(text, this.paint !== PLAIN)}\n`);
  }

  #toStderr(text: string): void {
    process.stderr.write(`${terminalText(text, this.notePaint !== PLAIN)}\n`);
  }
}
