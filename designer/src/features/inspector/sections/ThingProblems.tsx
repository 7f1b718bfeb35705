import type { Problem } from "@penstock/codegen/diagnostics";
import { openProblem } from "../../../kernel/files/openProblem.js";
import { useDocument } from "../../../kernel/document/index.js";
import { ProblemIcon } from "../../../kernel/problems/ProblemIcon.js";
import { useProblems, useToDo } from "../../../kernel/problems/problemStore.js";
import { quickFixes } from "../../../registry/feature.js";
import { Button } from "../../../kernel/ui/index.js";

/** What is wrong with the thing shown, or to be done yet, with its quick fixes, right below its name. */
export function ThingProblems({ refs }: { refs: readonly string[] }) {
  const topology = useDocument((state) => state.topology);
  const isHere = ({ node }: Problem) => node !== undefined && refs.includes(node);
  const wrong = useProblems().filter(isHere);
  const toDo = useToDo();
  const problems = [...wrong, ...toDo.filter(isHere)];
  if (problems.length === 0) return null;
  return (
    <ul className="thing-problems" aria-label="Problems here">
      {problems.slice(0, 4).map((problem, index) => (
        <li key={index}>
          <ProblemIcon of={toDo.includes(problem) ? "to do" : problem.severity} size={13} />
          <span>
            {problem.message}
            {problem.file === undefined ? null : (
              <button
                type="button"
                className="thing-place mono"
                title="Open the line"
                onClick={() => void openProblem(problem)}
              >
                {placeOf(problem)}
              </button>
            )}
            <span className="thing-fixes">
              {quickFixes(problem, topology).map((fix) => (
                <Button key={fix.label} size="sm" onClick={fix.perform}>
                  {fix.label}
                </Button>
              ))}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** File and line as compilers write them, without the folders. */
const placeOf = ({ file = "", line }: Problem): string =>
  file.slice(file.lastIndexOf("/") + 1) + (line === undefined ? "" : `:${line}`);
