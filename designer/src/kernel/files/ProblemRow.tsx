import type { Problem } from "@penstock/codegen/diagnostics";
import { ProblemIcon } from "../problems/ProblemIcon.js";
import { openProblem } from "./openProblem.js";

/** A problem of a build that leads to its line or its place in the drawing. */
export function ProblemRow({ problem }: { problem: Problem }) {
  const place = problem.file ? `${problem.file}${problem.line ? `:${problem.line}` : ""}` : problem.pointer;
  return (
    <button type="button" className="build-problem" onClick={() => void openProblem(problem)}>
      <ProblemIcon of={problem.severity} />
      <span className="mono build-place">{place}</span>
      <span>
        {problem.message}
        {problem.help ? <span className="build-help"> {problem.help}</span> : null}
      </span>
    </button>
  );
}
