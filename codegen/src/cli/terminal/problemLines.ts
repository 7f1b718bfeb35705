import { isClean, type Problem } from "../../model/diagnostics/index.js";
import type { Paint } from "./paint.js";

/** `error PS303 topology.json:12:7 /services/3/calls/0: message`, and the help below it. */
export function problemLines(problem: Problem, paint: Paint): string {
  const severity = problem.severity === "error" ? paint.red("error") : paint.yellow("warning");
  // What names no file is about the drawing.
  const file = problem.file ?? (problem.line === undefined ? undefined : "topology.json");
  const place = [
    [file, problem.line, problem.column].filter((part) => part !== undefined).join(":"),
    problem.pointer,
  ].filter((part) => part !== "");
  const where = place.length === 0 ? "" : ` ${paint.dim(place.join(" "))}`;
  const help = problem.help === "" ? "" : `\n    ${problem.help}`;
  return `${severity} ${paint.bold(problem.code)}${where}: ${problem.message}${help}`;
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;

/** "2 errors, 1 warning", "no problems". */
export function summary(problems: readonly Problem[]): string {
  const errors = problems.filter((problem) => problem.severity === "error").length;
  const warnings = problems.length - errors;
  if (problems.length === 0) return "no problems";
  return isClean(problems)
    ? count(warnings, "warning")
    : `${count(errors, "error")}${warnings === 0 ? "" : `, ${count(warnings, "warning")}`}`;
}
