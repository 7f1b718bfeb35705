import type { Problem } from "@penstock/codegen/diagnostics";
import { CircleCheck, CircleDashed, Search } from "lucide-react";
import { useState } from "react";
import { nodeOfService } from "../../kernel/document/edits/flows.js";
import { openProblem } from "../../kernel/files/openProblem.js";
import { documentStore, reveal, useDocument } from "../../kernel/document/index.js";
import { Button, EmptyState, Input, Prose } from "../../kernel/ui/index.js";
import "./problems.css";
import { ProblemIcon } from "../../kernel/problems/ProblemIcon.js";
import { useProblems, useToDo } from "../../kernel/problems/problemStore.js";
import { useUnwritten } from "../../kernel/document/unwritten.js";
import { quickFixes } from "../../registry/feature.js";
import { placeOf } from "./placeOf.js";
import type { Topology } from "@penstock/codegen/topology";

/** Rows drawn at once: nobody reads more, and each fix makes room for the next. */
const SHOWN = 200;
/** So many are read without being looked for. */
const FEW = 12;

/** Everything that is wrong, errors first, then what is to be done yet; a row goes to its place, a button makes it right. */
export function ProblemsPanel() {
  const wrong = useProblems();
  const toDo = useToDo();
  const problems = [...wrong, ...toDo];
  const readOnly = useDocument((state) => state.readOnly);
  const topology = useDocument((state) => state.topology);
  const unwritten = useUnwritten();
  const [query, setQuery] = useState("");
  if (problems.length === 0) {
    const missing = whatIsMissing(topology);
    if (missing !== undefined)
      return (
        <EmptyState icon={<CircleDashed size={18} strokeWidth={1.75} />} title="Not ready to run yet">
          {missing}
        </EmptyState>
      );
    return (
      <EmptyState icon={<CircleCheck size={18} strokeWidth={1.75} color="var(--ok)" />} title="No problems">
        {topology.flows.length > 0
          ? "The drawing can be generated and built."
          : "It can be built and run. Nothing asks its services yet: Try does, and so does a source (point at a service, press T)."}
        {unwritten.size > 0 ? ` ${stillToWrite([...unwritten])}` : ""}
      </EmptyState>
    );
  }
  const many = problems.length > FEW || query !== "";
  const found = query === "" ? problems : problems.filter(answers(query));
  const list = (
    <ul className="problems" aria-label="Problems">
      {found.slice(0, SHOWN).map((problem, index) => (
        <li key={`${problem.code}${problem.pointer}${problem.line ?? ""}${index}`} className="problem">
          <button type="button" className="problem-jump" onClick={() => jumpTo(problem)}>
            <ProblemIcon of={toDo.includes(problem) ? "to do" : problem.severity} />
            <span className="problem-words">
              <span className="problem-message">{problem.message}</span>
              <span className="problem-place">
                {problem.code ? (
                  <>
                    <span className="mono">{problem.code}</span> ·{" "}
                  </>
                ) : null}
                {placeWords(problem)}
                {problem.help ? <Prose text={` · ${problem.help}`} /> : null}
              </span>
            </span>
          </button>
          {readOnly
            ? null
            : quickFixes(problem, topology).map((fix) => (
                <Button key={fix.label} size="sm" onClick={fix.perform}>
                  {fix.label}
                </Button>
              ))}
        </li>
      ))}
      {found.length > SHOWN ? (
        <li className="problem-more">and {found.length - SHOWN} more once these are gone</li>
      ) : null}
      {found.length === 0 ? <li className="problem-more">None of them has these words.</li> : null}
    </ul>
  );
  if (!many) return list;
  return (
    <div className="problems-many">
      <div className="problems-filter">
        <Input
          icon={<Search size={14} strokeWidth={1.75} aria-hidden />}
          type="search"
          aria-label="Filter the problems"
          placeholder="Filter by name, code or words"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <span role="status">{query === "" ? "" : `${found.length} of ${problems.length}`}</span>
      </div>
      {list}
    </div>
  );
}

/** Their calls fail until then. */
const stillToWrite = (services: readonly string[]): string => {
  const shown = services.slice(0, 3).join(", ");
  const rest = services.length > 3 ? ` and ${services.length - 3} more` : "";
  return `Handlers to be written yet: ${shown}${rest}.`;
};

/** Whether a problem has all the words, wherever. */
const answers = (query: string) => {
  const words = query.toLowerCase().split(/\s+/);
  return (problem: Problem): boolean => {
    const { severity, code, message } = problem;
    const said = `${severity} ${code} ${message} ${placeWords(problem)}`.toLowerCase();
    return words.every((word) => said.includes(word));
  };
};

const placeWords = (problem: Problem): string => {
  if (problem.file === undefined) return problem.pointer || "topology";
  const line = problem.line === undefined ? "" : `:${problem.line}`;
  return `${problem.file}${line}${problem.column === undefined ? "" : `:${problem.column}`}`;
};

/** A compiler's problem opens its line in the editor, one of the drawing goes to its node. */
function jumpTo(problem: Problem): void {
  if (problem.file !== undefined) {
    void openProblem(problem);
    return;
  }
  const place = placeOf(problem);
  if (place === undefined) return;
  const { topology } = documentStore.getState();
  reveal(place.startsWith("service:") ? nodeOfService(topology, place.slice("service:".length)) : place);
}

/** What keeps a drawing without a problem from running: there is too little of it. Undefined when it can be run. */
export function whatIsMissing({ services, flows, binaries }: Topology): string | undefined {
  const nothing = services.length === 0 && flows.length === 0;
  if (nothing && binaries.length === 0)
    return "It needs a service, a bundle that holds it and a binary that runs the bundle. Drag a service from the palette to begin.";
  if (nothing) return "It needs a service: drag one from the palette, or press S.";
  if (binaries.length === 0)
    return "It needs a binary: select a bundle and choose Add binary for this bundle.";
  return undefined;
}
