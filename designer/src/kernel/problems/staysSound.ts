import type { Topology } from "@penstock/codegen/topology";
import { paletteStore } from "../server/paletteStore.js";
import { loadChecks } from "./checks.js";

/** Whether a change of the drawing brings no problem that was not there: what is offered in one click does not. */
export async function staysSound(before: Topology, after: Topology): Promise<boolean> {
  const { validateTopology } = await loadChecks();
  const { palette, sourcePalette } = paletteStore.getState();
  const problemsOf = (topology: Topology) =>
    validateTopology(topology, palette, sourcePalette).map(({ code, pointer }) => `${code} ${pointer}`);
  const known = new Set(problemsOf(before));
  return problemsOf(after).every((problem) => known.has(problem));
}
