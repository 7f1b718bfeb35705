import { createInterface } from "node:readline";
import type { Output } from "./output.js";

/** Whether there is a person at the terminal who can answer. */
export const mayAsk = (output: Output): boolean =>
  process.stdin.isTTY === true && process.stderr.isTTY === true && !output.json;

/** A line of the terminal; "" when it ends, or when Ctrl-C came first. */
function answerTo(question: string, output: Output, signal: AbortSignal): Promise<string> {
  output.note(question);
  // Lines as the terminal gives them: no keys are caught, so that Ctrl-C is a signal as everywhere.
  const lines = createInterface({ input: process.stdin, terminal: false });
  return new Promise<string>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
    signal.addEventListener("abort", () => lines.close(), { once: true });
    if (signal.aborted) lines.close();
  }).finally(() => lines.close());
}

/** Asks the person at the terminal; all but a yes is a no. */
export const saysYes = async (question: string, output: Output, signal: AbortSignal): Promise<boolean> =>
  /^\s*y(?:es)?\s*$/i.test(await answerTo(question, output, signal));
