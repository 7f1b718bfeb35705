import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import type { Topology } from "@penstock/codegen/topology";
import { documentStore, edit } from "../../kernel/document/store.js";
import { binaryRef } from "../../kernel/document/edits/binaries.js";
import { bundleRef } from "../../kernel/document/edits/bundles.js";
import { placed, snapped, unplaced } from "../../kernel/document/edits/layout.js";
import { toast } from "../../kernel/ui/toast.js";
import type { Box, Item } from "../geometry/box.js";
import { drawnItems } from "../geometry/boxes.js";
import { callBlocks, type Block } from "./callBlocks.js";
import { fit } from "../screen/fit.js";
import { inBands } from "./inBands.js";
import { loneInGrid } from "./loneInGrid.js";
import { partsInRows } from "./partsInRows.js";
import { BUNDLE_HEADER, BUNDLE_PADDING, FRAME_HEADER, FRAME_PADDING } from "../geometry/nodeSizes.js";
import { toCanvasEdges } from "../toCanvasEdges.js";
import { FLOW_PORT_Y } from "../toCanvasNodes.js";

const SPACING: Record<string, string> = {
  // Room for a slot with its figure; five nodes still fit on a laptop's screen at 0.9.
  "elk.layered.spacing.nodeNodeBetweenLayers": "88",
  "elk.spacing.nodeNode": "33",
  "elk.spacing.componentComponent": "55",
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

const IN_FRAME = `[top=${FRAME_HEADER},left=${FRAME_PADDING},bottom=${FRAME_PADDING},right=${FRAME_PADDING}]`;

/**
 * The drawing as a graph for ELK: bundles hold their nodes, edges as drawn. A flow reads from left to right,
 * and what a stage calls stands below it (callBlocks); where nothing but calls is drawn, callers stand above.
 */
export function elkGraph(topology: Topology): ElkNode {
  const items = drawnItems(topology);
  const flows = topology.flows.length > 0;
  const blocks = flows ? callBlocks(topology, items) : items.map(alone);
  const blockOf = new Map(blocks.flatMap(({ root, places }) => places.map(({ ref }) => [ref, root.ref])));
  const edges = toCanvasEdges(topology, []).flatMap((edge): ElkExtendedEdge[] => {
    const source = blockOf.get(edge.source);
    const target = blockOf.get(edge.target);
    if (source === undefined || target === undefined || source === target) return [];
    const call = edge.type === "call";
    return [
      {
        id: edge.id,
        sources: [call || !flows ? `block:${source}` : `out:${source}`],
        targets: [call || !flows ? `block:${target}` : `in:${target}`],
        // Calls bend the order less than the flow does.
        layoutOptions: { "elk.layered.priority.direction": call ? "1" : "10" },
      },
    ];
  });
  const linked = new Set(edges.flatMap(({ sources, targets }) => [...sources, ...targets].map(rootOfEnd)));
  const inBundle = (name: string | undefined) =>
    loneInGrid(
      blocks.filter(({ root }) => root.bundle === name),
      ({ root }) => linked.has(root.ref),
    ).map(elkBlock);
  const bundles = topology.bundles
    .map((bundle): ElkNode => ({
      id: bundleRef(bundle.name),
      layoutOptions: { ...SPACING, "elk.padding": INSIDE },
      children: inBundle(bundle.name),
    }))
    .filter((bundle) => bundle.children?.length);
  const apart = inFrames(topology, bundles);
  return {
    id: "root",
    layoutOptions: { ...OPTIONS, "elk.direction": flows ? "RIGHT" : "DOWN" },
    children: [...apart, ...inBundle(undefined)],
    edges,
  };
}

/**
 * The bundles of each binary together, so that no frame lies through another. A bundle of several binaries stands by
 * itself, as do all where at most one binary has any.
 */
function inFrames({ binaries }: Topology, bundles: readonly ElkNode[]): ElkNode[] {
  const homes = new Map<string, string | undefined>();
  for (const { name, bundles: served } of binaries)
    for (const ref of served.map(bundleRef)) homes.set(ref, homes.has(ref) ? undefined : name);
  const frames = binaries.flatMap(({ name }): ElkNode[] => {
    const children = bundles.filter(({ id }) => homes.get(id) === name);
    return children.length > 0
      ? [{ id: binaryRef(name), layoutOptions: { ...SPACING, "elk.padding": IN_FRAME }, children }]
      : [];
  });
  if (frames.length < 2) return [...bundles];
  return [...frames, ...bundles.filter(({ id }) => homes.get(id) === undefined)];
}

/** The block's root: what follows `block:`, `in:` or `out:`. */
const rootOfEnd = (end: string): string => end.slice(end.indexOf(":") + 1);

const alone = (root: Item): Block => ({
  root,
  ...root.size,
  places: [{ ref: root.ref, x: 0, y: 0, ...root.size }],
});

/** Its ports are those of its root, so that a line of stages is straight; what is in it stays where it is. */
const elkBlock = ({ root, width, height, places }: Block): ElkNode => ({
  id: `block:${root.ref}`,
  width,
  height,
  layoutOptions: {
    "elk.algorithm": "fixed",
    "elk.hierarchyHandling": "SEPARATE_CHILDREN",
    "elk.portConstraints": "FIXED_POS",
    "elk.nodeSize.fixedGraphSize": "true",
  },
  ports: [
    { id: `in:${root.ref}`, x: 0, y: FLOW_PORT_Y, width: 0, height: 0 },
    { id: `out:${root.ref}`, x: width, y: FLOW_PORT_Y, width: 0, height: 0 },
  ],
  children: places.map(({ ref, ...box }) => ({ id: ref, ...box })),
});

/** Absolute positions of everything but the bundles, which follow from what is in them. */
export function positionsOf(root: ElkNode): Record<string, { x: number; y: number }> {
  const boxes = new Map<string, Box>();
  const visit = (node: ElkNode, left: number, top: number) => {
    for (const child of node.children ?? []) {
      const x = left + (child.x ?? 0);
      const y = top + (child.y ?? 0);
      if (child.children?.length) visit(child, x, y);
      else boxes.set(child.id, { x, y, width: child.width ?? 0, height: child.height ?? 0 });
    }
  };
  const moves = partsInRows(root);
  for (const child of root.children ?? []) {
    const { x, y } = moves.get(child.id) ?? { x: 0, y: 0 };
    visit({ ...root, children: [child] }, x, y);
  }
  // Calls alone, in one bundle or in none: several bundles would lie through one another.
  const groups = root.children?.filter(({ id }) => /^(bundle|binary):/.test(id)).length ?? 0;
  const together = groups === 0 || root.children?.length === 1;
  const places = together && root.layoutOptions?.["elk.direction"] === "DOWN" ? inBands(boxes) : boxes;
  return Object.fromEntries([...places].map(([ref, { x, y }]) => [ref, { x: snapped(x), y: snapped(y) }]));
}

export type Places = ReturnType<typeof positionsOf>;

/** As one step of the history; bundles follow what is in them. */
function asStep(places: Places): void {
  const bundles = documentStore.getState().topology.bundles.map((bundle) => bundleRef(bundle.name));
  edit("Arrange automatically", (model) => placed(unplaced(model, bundles), places));
}

/** Lays a drawing out in a worker. */
export async function arranged(topology: Topology): Promise<Places> {
  const [{ default: Elk }, { default: workerUrl }] = await Promise.all([
    import("elkjs/lib/elk-api.js"),
    import("elkjs/lib/elk-worker.min.js?url"),
  ]);
  const worker = new Worker(workerUrl);
  try {
    const elk = new Elk({ workerFactory: () => worker });
    return positionsOf(await elk.layout(elkGraph(topology)));
  } finally {
    worker.terminate();
  }
}

/** Lays the whole drawing out and hands the places to `take`. Says so when it cannot. */
export async function arrangeAutomatically(take: (places: Places) => void = asStep): Promise<void> {
  const { topology, projectId } = documentStore.getState();
  try {
    const places = await arranged(topology);
    if (documentStore.getState().projectId !== projectId) return;
    take(places);
    requestAnimationFrame(() => void fit(140));
  } catch (error) {
    toast("The drawing could not be arranged", { tone: "bad", body: String(error) });
  }
}
