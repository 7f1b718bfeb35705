import type { Problem } from "@penstock/codegen/diagnostics";
import { ProblemIcon } from "../../kernel/problems/ProblemIcon.js";
import { placeOf } from "./planWords.js";

interface RefusedProps {
  message: string;
  help: string;
  problems: readonly Problem[];
}

/** Why there is no plan: with file and line where a file is at fault. */
export function Refused({ message, help, problems }: RefusedProps) {
  return (
    <div role="alert">
      {problems.length === 0 ? (
        <Fault place="" message={message} help={help} />
      ) : (
        problems.map((problem, at) => <Fault key={at} place={placeOf(problem)} {...problem} />)
      )}
    </div>
  );
}

/** One thing that is wrong, and what helps. */
export function Fault({ place, message, help }: { place: string; message: string; help: string }) {
  return (
    <p className="import-fault">
      <ProblemIcon of="error" />
      <span>
        {place === "" ? null : <span className="mono import-place">{place}</span>}
        {message}
        {help === "" ? null : <span className="import-help">{help}</span>}
      </span>
    </p>
  );
}
