import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import type { Topology } from "@penstock/codegen/topology";
import { documentStore, edit } from "../document/index.js";
import { bundleRef } from "../document/edits/bundles.js";
import { placed, snapped, unplaced } from "../document/edits/layout.js";
import { toast } from "../ui/index.js";
import { drawnItems } from "./boxes.js";
import { fit } from "./fit.js";
import { BUNDLE_HEADER, BUNDLE_PADDING } from "./nodeGeometry.js";
import { toCanvasEdges } from "./toCanvasEdges.js";

const SPACING: Record<string, string> = {
  "elk.layered.spacing.nodeNodeBetweenLayers": "132",
  "elk.spacing.nodeNode": "44",
  "elk.spacing.componentComponent": "66",
  "elk.spacing.edgeNode": "22",
};
const OPTIONS: Record<string, string> = {
  ...SPACING,
  "elk.algorithm": "layered",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  // Stable: the order of the document decides, not chance.
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.randomSeed": "1",
};
const INSIDE = `[top=${BUNDLE_HEADER},left=${BUNDLE_PADDING},bottom=${BUNDLE_PADDING},right=${BUNDLE_PADDING}]`;

/** The drawing as a graph for ELK: bundles hold their nodes, edges as drawn. */
export function elkGraph(topology: Topology): ElkNode {
  const items = drawnItems(topology);
  const node = (item: (typeof items)[number]): ElkNode => ({ id: item.ref, ...item.size });
  // A flow reads left to right; where nothing but calls is drawn, callers stand above callees.
  const layoutOptions = { ...OPTIONS, "elk.direction": topology.flows.length > 0 ? "RIGHT" : "DOWN" };
  const bundles = topology.bundles
    .map((bundle): ElkNode => ({
      id: bundleRef(bundle.name),
      layoutOptions: { ...SPACING, "elk.padding": INSIDE },
      children: items.filter((item) => item.bundle === bundle.name).map(node),
    }))
    .filter((bundle) => bundle.children?.length);
  const edges = toCanvasEdges(topology, []).map((edge): ElkExtendedEdge => ({
    id: edge.id,
    sources: [edge.source],
    targets: [edge.target],
    // Calls bend the order less than the flow does.
    layoutOptions: { "elk.layered.priority.direction": edge.type === "call" ? "1" : "10" },
  }));
  return {
    id: "root",
    layoutOptions,
    children: [...bundles, ...items.filter((item) => !item.bundle).map(node)],
    edges,
  };
}

/** Absolute positions of everything but the bundles, which follow from what is in them. */
export function positionsOf(root: ElkNode): Record<string, { x: number; y: number }> {
  const places: Record<string, { x: number; y: number }> = {};
  const visit = (node: ElkNode, left: number, top: number) => {
    for (const child of node.children ?? []) {
      const x = left + (child.x ?? 0);
      const y = top + (child.y ?? 0);
      if (child.id.startsWith("bundle:")) visit(child, x, y);
      else places[child.id] = { x: snapped(x), y: snapped(y) };
    }
  };
  visit(root, 0, 0);
  return places;
}

type Places = ReturnType<typeof positionsOf>;

/** As one step of the history; bundles follow what is in them. */
function asStep(places: Places): void {
  const bundles = documentStore.getState().topology.bundles.map((bundle) => bundleRef(bundle.name));
  edit("Arrange automatically", (model) => placed(unplaced(model, bundles), places));
}

/** Lays the whole drawing out in a worker and hands the places to `take`. Says so when it cannot. */
export async function arrangeAutomatically(take: (places: Places) => void = asStep): Promise<void> {
  const { topology, projectId } = documentStore.getState();
  let worker: Worker | undefined;
  try {
    const [{ default: Elk }, { default: workerUrl }] = await Promise.all([
      import("elkjs/lib/elk-api.js"),
      import("elkjs/lib/elk-worker.min.js?url"),
    ]);
    const started = new Worker(workerUrl);
    worker = started;
    const elk = new Elk({ workerFactory: () => started });
    const places = positionsOf(await elk.layout(elkGraph(topology)));
    if (documentStore.getState().projectId !== projectId) return;
    take(places);
    requestAnimationFrame(() => void fit(140));
  } catch (error) {
    toast("The drawing could not be arranged", { tone: "bad", body: String(error) });
  } finally {
    worker?.terminate();
  }
}
