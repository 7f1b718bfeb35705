import { parseNodeRef, snakeCase, type Topology } from "@penstock/codegen/topology";
import type { NameKind } from "@penstock/codegen/validate";
import { documentStore } from "../document/index.js";
import { sharedNames } from "../document/edits/messages.js";
import { nameFault } from "../problems/checks.js";

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
function takenBy(topology: Topology, ref: string, name: string): string | undefined {
  const parsed = parseNodeRef(ref);
  if (!parsed) return undefined;
  const own = parsed.path.at(-1);
  const wanted = snakeCase(name);
  const other = siblings(topology, parsed.kind, parsed.path).find(
    (taken) => taken !== own && (snakeCase(taken) === wanted || taken.toLowerCase() === name.toLowerCase()),
  );
  return other === undefined ? undefined : `${other} is there already`;
}

/** Why the thing that `nodeRef` names cannot be named `text`; undefined when it can. */
export function nameFaultWords(rule: NameKind, nodeRef: string, text: string): string | undefined {
  const fault = nameFault(rule, text);
  if (fault) return `${fault.message}. Try ${fault.suggestion}`;
  return takenBy(documentStore.getState().topology, nodeRef, text);
}
