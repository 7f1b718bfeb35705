import { parseNodeRef, snakeCase, type Topology } from "@penstock/codegen/topology";
import { sharedNames } from "../document/edits/messages.js";

const names = (list: readonly { name: string }[] | undefined) => (list ?? []).map((item) => item.name);

/** The names that a thing must differ from, by its kind. */
function siblings(topology: Topology, kind: string, path: readonly string[]): string[] {
  const [first] = path;
  if (kind === "bundle") return names(topology.bundles);
  if (kind === "binary") return names(topology.binaries);
  if (kind === "pool") return names(topology.binaries.find((item) => item.name === first)?.pools);
  if (kind === "stage")
    return topology.flows.find((item) => item.name === first)?.stages.map((stage) => stage.id) ?? [];
  return sharedNames(topology);
}

/** Says so when something else already has this name (without case, as files and C++ see it). */
export function takenBy(topology: Topology, ref: string, name: string): string | undefined {
  const parsed = parseNodeRef(ref);
  if (!parsed) return undefined;
  const own = parsed.path.at(-1);
  const wanted = snakeCase(name);
  const other = siblings(topology, parsed.kind, parsed.path).find(
    (taken) => taken !== own && (snakeCase(taken) === wanted || taken.toLowerCase() === name.toLowerCase()),
  );
  return other === undefined ? undefined : `${other} is there already`;
}
