import { pathOf, type Problem } from "@penstock/codegen/diagnostics";
import { parseNodeRef } from "@penstock/codegen/topology";
import { documentStore } from "../../kernel/document/index.js";

/** The thing a problem is about, for jumping there. */
export function placeOf(problem: Problem): string | undefined {
  if (problem.node !== undefined && parseNodeRef(problem.node)) return problem.node;
  const { topology } = documentStore.getState();
  const [list, at, , inner] = pathOf(problem.pointer);
  const index = Number(at);
  if (list === "messages") return refOf("message", topology.messages[index]?.name);
  if (list === "enums") return refOf("enum", topology.enums[index]?.name);
  if (list === "services") return refOf("service", topology.services[index]?.name);
  if (list === "bundles") return refOf("bundle", topology.bundles[index]?.name);
  if (list === "binaries") return refOf("binary", topology.binaries[index]?.name);
  if (list === "flows") {
    const flow = topology.flows[index];
    const stage = flow?.stages[Number(inner)];
    return stage ? `stage:${flow?.name}/${stage.id}` : refOf("flow", flow?.name);
  }
  return undefined;
}

const refOf = (kind: string, name: string | undefined): string | undefined =>
  name === undefined ? undefined : `${kind}:${name}`;
