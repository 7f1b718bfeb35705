import { ChevronUp } from "lucide-react";
import { useRef } from "react";
import { useProblems } from "../kernel/problems/problemStore.js";
import { Badge } from "../kernel/ui/index.js";
import { openDock } from "../registry/frameStore.js";
import { usePassedFocus, type HeldFocus } from "./passFocus.js";

/** What is left of the dock while it is folded. */
export function DockBar({ held }: { held: HeldFocus }) {
  const button = useRef<HTMLButtonElement>(null);
  usePassedFocus(held, button, button);
  const problems = useProblems();
  return (
    <button ref={button} type="button" className="dock-closed" onClick={openDock} aria-label="Show the dock">
      <ChevronUp size={14} /> Problems {problems.length > 0 ? <Badge round>{problems.length}</Badge> : null}
    </button>
  );
}
