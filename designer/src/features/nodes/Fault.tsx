import { CircleAlert } from "lucide-react";
import { useProblems } from "../../kernel/problems/problemStore.js";

/** What the rules and the compiler say about a value. */
export function Fault({ pointer, deep }: { pointer: string; deep?: boolean }) {
  const faults = useProblems().filter(
    (problem) => problem.pointer === pointer || (deep && problem.pointer.startsWith(`${pointer}/`)),
  );
  if (faults.length === 0) return null;
  return (
    <ul className="setting-faults">
      {faults.slice(0, 3).map((fault, index) => (
        <li key={index} data-severity={fault.severity}>
          <CircleAlert size={12} strokeWidth={2} aria-hidden />
          {fault.message}
        </li>
      ))}
    </ul>
  );
}
