import { documentStore, edit, select } from "../../kernel/document/store.js";
import { addBundle, bundleRef, freshBundleName, type Members } from "../../kernel/document/edits/bundles.js";
import {
  addBinary,
  binariesOf,
  changeBinary,
  freshBinaryName,
  newBinary,
  binariesOfFlow,
} from "../../kernel/document/edits/binaries.js";
import { moveBundle } from "../../kernel/document/edits/moveBundle.js";
import { serviceOfNode } from "./connect.js";
import { parseCanvasRef } from "../../kernel/document/canvasRefs.js";
import type { Topology } from "@penstock/codegen/topology";

/** The services and flows that selected nodes stand for. A flow comes with its source, stages by themselves. */
export function membersOf(topology: Topology, ids: readonly string[]): Members {
  const services = new Set<string>();
  const flows = new Set<string>();
  for (const id of ids) {
    const ref = parseCanvasRef(id);
    if (ref?.kind === "flow") flows.add(ref.flow);
    const service = serviceOfNode(topology, id);
    if (service !== undefined) services.add(service);
  }
  return { services: [...services], flows: [...flows] };
}

/** Puts the selected services and flows into a new bundle; what no other bundle runs comes along. */
export function groupSelection(): string | undefined {
  const { topology, selection } = documentStore.getState();
  const members = membersOf(topology, selection);
  if (members.services.length + members.flows.length === 0) return undefined;
  // A flow none of whose bundles is chosen runs where its stages are.
  const flows = new Set(members.flows);
  for (const flow of topology.flows) {
    const bundled = topology.bundles.some((bundle) => bundle.flows.includes(flow.name));
    if (
      !bundled &&
      flow.stages.length > 0 &&
      flow.stages.every((stage) => members.services.includes(stage.service))
    )
      flows.add(flow.name);
  }
  const name = freshBundleName(topology);
  const grouped = { ...members, flows: [...flows] };
  const serving = servingOf(topology, grouped);
  edit(
    "Group into a bundle",
    (model) =>
      serving.reduce(
        (now, binary) => changeBinary(now, binary, (one) => ({ ...one, bundles: [...one.bundles, name] })),
        addBundle(model, name, grouped),
      ),
    { select: [bundleRef(name)] },
  );
  return name;
}

/** The binaries that run all of it: grouping changes nothing of that. What none runs whole is for a person to place. */
function servingOf(topology: Topology, { services, flows }: Members): string[] {
  const serving = [
    ...services.map((service) => binariesOf(topology, service)),
    ...flows.map((flow) => binariesOfFlow(topology, flow)),
  ];
  return topology.binaries
    .filter((binary) => serving.every((some) => some.includes(binary)))
    .map(({ name }) => name);
}

/** A binary that serves one bundle, ready to run. */
export function addBinaryFor(bundle: string): string {
  const name = freshBinaryName(documentStore.getState().topology, bundle);
  edit(`Add binary ${name}`, (model) => addBinary(model, newBinary(name, [bundle])));
  select(`binary:${name}`);
  return name;
}

/** Has one binary alone serve bundles, as one step; without a name, a new one. */
export function moveToBinary(bundles: readonly string[], binary?: string): string {
  const name = binary ?? freshBinaryName(documentStore.getState().topology, bundles[0]);
  edit(moveLabel(bundles, name), (model) =>
    bundles.reduce(
      (now, bundle) => moveBundle(now, bundle, name),
      binary === undefined ? addBinary(model, newBinary(name, [])) : model,
    ),
  );
  return name;
}

/** What the step is called that has a binary serve bundles. */
export const moveLabel = (bundles: readonly string[], binary: string): string =>
  `Move ${bundles.length === 1 ? bundles[0] : `${bundles.length} bundles`} to ${binary}`;
