import type { Problem } from "@penstock/codegen/diagnostics";
import { isOfDrawing, isOfStart } from "../problems/stillHolds.js";
import { toast } from "../ui/index.js";

const errorsOf = (problems: readonly Problem[]): Problem[] =>
  problems.filter(({ severity }) => severity === "error");

/** What is said of binaries that run, beside what became of the drawing. */
export const isOfRun = ({ code }: Problem): boolean => /^PS8[789]\d$/.test(code);

/** The drawing has errors, or what it needs is not there, so that nothing was made of it: no compiler was asked. */
export function isRefused(problems: readonly Problem[]): boolean {
  const errors = errorsOf(problems);
  return (
    errors.some((one) => isOfDrawing(one) || isOfStart(one)) &&
    errors.every((one) => isOfDrawing(one) || isOfRun(one))
  );
}

/** What became of the drawing: the last word on it is the one that holds. */
export const OUTCOME = "what is made of the drawing";

/** Long enough to be read; the list of problems keeps it. */
const LASTS_MS = 12_000;

/** Says what keeps a drawing from being made, the first of it in full. */
export function sayRefused(title: string, problems: readonly Problem[]): void {
  const [first, ...others] = errorsOf(problems);
  const more = others.length === 0 ? "" : `And ${others.length} more, listed under Problems.`;
  const body = first && [`${first.message}.`, first.help, more].filter(Boolean).join(" ");
  toast(title, { tone: "bad", about: OUTCOME, lasts: LASTS_MS, ...(body === undefined ? {} : { body }) });
}
