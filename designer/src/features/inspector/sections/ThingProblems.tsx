import type { Problem } from "@penstock/codegen/diagnostics";
import { CircleAlert, TriangleAlert } from "lucide-react";
import { openProblem } from "../../../kernel/files/openProblem.js";
import { useDocument } from "../../../kernel/document/index.js";
import { useProblems } from "../../../kernel/problems/problemStore.js";
import { quickFixes } from "../../../registry/quickFixes.js";
import { Button } from "../../../kernel/ui/index.js";

/** What is wrong with the thing shown, with its quick fixes, right below its name. */
export function ThingProblems({ refs }: { refs: readonly string[] }) {
  const topology = useDocument((state) => state.topology);
  const problems = useProblems().filter(
    (problem) => problem.node !== undefined && refs.includes(problem.node),
  );
  if (problems.length === 0) return null;
  return (
    <ul className="thing-problems" aria-label="Problems here">
      {problems.slice(0, 4).map((problem, index) => (
        <li key={index} data-severity={problem.severity}>
          {problem.severity === "error" ? (
            <CircleAlert size={13} strokeWidth={1.75} aria-label="Error" />
          ) : (
            <TriangleAlert size={13} strokeWidth={1.75} aria-label="Warning" />
          )}
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
