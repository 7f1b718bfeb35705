import { useState } from "react";
import { formatShare, words } from "../kernel/live/figures/format.js";

/** As many as there is room for. */
const SHOWN = 8;

/** The load of each CPU on which a thread was seen: one that none is on for a while keeps its place, so that none jumps. */
export function CpuFigures({ loads }: { loads: ReadonlyMap<number, number> }) {
  const [seen, setSeen] = useState<readonly number[]>([]);
  const more = [...loads.keys()].filter((cpu) => !seen.includes(cpu));
  if (more.length > 0) setSeen([...seen, ...more].toSorted((a, b) => a - b));
  return seen.slice(0, SHOWN).map((cpu) => {
    const load = loads.get(cpu) ?? 0;
    return (
      <span key={cpu} className="mono status-figure" data-hot={load > 0.9}>
        CPU{cpu} <span className="digits">{words(formatShare(load))}</span>
      </span>
    );
  });
}
