import type { Topology } from "@penstock/codegen/topology";
import { loadedChecks } from "../problems/checks.js";

/** Rules that a join can break. */
const CODES: ReadonlySet<string> = new Set(["PS501", "PS502", "PS514", "PS515"]);

/** Why a change is not made; what was stays. */
export interface JoinRefusal {
  reason: string;
  help: string;
}

const faults = (topology: Topology) =>
  (loadedChecks()?.validateTopology(topology) ?? []).filter(
    ({ code, severity }) => severity === "error" && CODES.has(code),
  );

/** What a change of joins would break that is whole now; undefined when nothing. */
export function drawnRefusal(before: Topology, after: Topology): JoinRefusal | undefined {
  const known = new Set(faults(before).map(({ code, pointer }) => `${code} ${pointer}`));
  const broken = faults(after).find(({ code, pointer }) => !known.has(`${code} ${pointer}`));
  return broken && { reason: broken.message, help: broken.help ?? "" };
}
