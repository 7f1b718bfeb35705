import {
  useReactFlow,
  useStoreApi,
  type NodeChange,
  type EdgeChange,
  type Connection,
  type OnConnectEnd,
  type ReactFlowProps,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useState, type DragEvent, type PointerEvent } from "react";
import { documentStore, edit, select, useDocument } from "../../kernel/document/index.js";
import { whyNoDrawing } from "../../kernel/problems/damage.js";
import { useMarks } from "../../kernel/problems/problemStore.js";
import { useUnwritten } from "../../kernel/document/unwritten.js";
import { looksOf } from "../../drawing/nodeLook.js";
import { usePalette, useSourceIcon } from "../../kernel/server/usePalette.js";
import { toast } from "../../kernel/ui/index.js";
import { pasteText } from "../../drawing/edits/clipboard.js";
import { dragData, dropFromPalette } from "../../drawing/edits/palette.js";
import { useNodeDrag } from "./useNodeDrag.js";
import { useKeepFit } from "./useKeepFit.js";
import { drawLine, finishLine, lineVerdict, setDraggedEdge } from "./finishLine.js";
import { lassoed } from "./lassoed.js";
import { setCanvas, setPointer } from "../../drawing/screen/instance.js";
import { lineSaidAt } from "../../drawing/screen/saidOnLines.js";
import { openNode } from "./openNode.js";
import { takenDrop } from "../../registry/feature.js";
import { openPopup } from "../../registry/popups.js";
import { stabiliser } from "../../drawing/stableNodes.js";
import { toCanvasEdges, type CanvasEdge } from "../../drawing/toCanvasEdges.js";
import { toCanvasNodes, type CanvasNode } from "../../drawing/toCanvasNodes.js";

type FlowProps = ReactFlowProps<CanvasNode, CanvasEdge>;
type Sizes = ReadonlyMap<string, { width: number; height: number }>;
const NO_SIZES: Sizes = new Map();
/** What each node and edge is given: always the same, as React Flow renders all of them anew where one of these is another. */
const OF_EACH = {
  onNodeClick: (_event, node) => {
    if (node.type === "frame") select(node.id);
  },
  onNodeContextMenu: (event, node) => openContext(event, node.id),
  onNodeDoubleClick: (event, node) =>
    openNode(node.id, event.target instanceof Element && event.target.closest("[data-title]") !== null),
  // What is said on a line may lie over another one.
  onEdgeClick: (event, edge) => {
    const said = lineSaidAt(event);
    if (said !== undefined && said !== edge.id && !event.ctrlKey && !event.metaKey && !event.shiftKey)
      select(said);
  },
  onEdgeContextMenu: (event, edge) => openContext(event, lineSaidAt(event) ?? edge.id),
  onReconnectStart: (_event, edge) => setDraggedEdge(edge.id),
  onReconnectEnd: () => setDraggedEdge(undefined),
} satisfies FlowProps;

/** Everything between the document and React Flow: nodes and edges one way, gestures the other. */
export function useCanvas() {
  const topology = useDocument((state) => state.topology);
  const layout = useDocument((state) => state.layout);
  const selection = useDocument((state) => state.selection);
  const readOnly = useDocument((state) => state.readOnly);
  const marks = useMarks();
  const unwritten = useUnwritten();
  const { nodes: standard } = usePalette();
  const sourceIcon = useSourceIcon();
  const lookOf = useMemo(() => looksOf(standard), [standard]);
  const flow = useReactFlow<CanvasNode, CanvasEdge>();
  const store = useStoreApi<CanvasNode, CanvasEdge>();
  const [resized, setResized] = useState(NO_SIZES);

  const [stableNodesOf] = useState(() => stabiliser<CanvasNode>());
  const mapped = useMemo(
    () => stableNodesOf(toCanvasNodes(topology, layout, selection, { marks, unwritten, lookOf, sourceIcon })),
    [stableNodesOf, topology, layout, selection, marks, unwritten, lookOf, sourceIcon],
  );
  const drag = useNodeDrag(mapped, flow);
  const { onMoves, end: endDrag } = drag;
  const nodes = useMemo(() => withResized(drag.nodes, resized), [drag.nodes, resized]);

  const [stableEdgesOf] = useState(() => stabiliser<CanvasEdge>());
  const edges = useMemo(
    () => stableEdgesOf(toCanvasEdges(topology, selection)),
    [stableEdgesOf, topology, selection],
  );

  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasNode>[]) => {
      const resizing = changes.find(
        (change) => change.type === "dimensions" && change.resizing !== undefined,
      );
      onMoves(changes, resizing !== undefined);
      if (resizing?.type === "dimensions") {
        const size = resizing.resizing ? resizing.dimensions : undefined;
        setResized(size ? new Map([[resizing.id, size]]) : NO_SIZES);
        if (!size) endDrag();
      }
      // Of a lasso the rectangle is there before its first picks, that it is drawn stands only after them.
      const { userSelectionRect, parentLookup } = store.getState();
      selectChanged(changes, userSelectionRect ? parentLookup : undefined);
    },
    [store, onMoves, endDrag],
  );
  const onEdgesChange = useCallback((changes: EdgeChange<CanvasEdge>[]) => selectChanged(changes), []);

  const isValidConnection = useCallback((line: Connection | CanvasEdge) => verdictOf(line).ok, []);
  const onConnect = useCallback((line: Connection) => {
    const verdict = verdictOf(line);
    if (verdict.ok) drawLine(verdict);
  }, []);
  const onReconnect = useCallback((_old: CanvasEdge, line: Connection) => {
    const verdict = verdictOf(line);
    if (verdict.ok) edit(verdict.label, verdict.edit, { select: [] });
  }, []);
  const onConnectEnd: OnConnectEnd = useCallback(
    (event, state) => finishLine(event, state, flow.screenToFlowPosition),
    [flow],
  );

  useEffect(() => () => setCanvas(undefined), []);

  useKeepFit();
  const props: FlowProps = {
    nodes,
    edges,
    onNodesChange,
    onEdgesChange,
    ...drag.handlers,
    ...OF_EACH,
    onConnect,
    onConnectEnd,
    onReconnect,
    edgesReconnectable: false,
    isValidConnection,
    nodesDraggable: !readOnly,
    nodesConnectable: !readOnly,
    onInit: setCanvas,
    // What the canvas does not draw, too: a message, an enum, a pool.
    onPaneClick: (event) => {
      select([]);
      const said = lineSaidAt(event);
      // React Flow takes back what is selected after this.
      if (said !== undefined) queueMicrotask(() => select(said));
    },
    onPaneContextMenu: (event) => {
      const said = lineSaidAt(event);
      if (said !== undefined) return openContext(event, said);
      event.preventDefault();
      openPopup({ kind: "context", at: { x: event.clientX, y: event.clientY }, target: null });
    },
    onSelectionContextMenu: (event) => {
      event.preventDefault();
      openPopup({
        kind: "context",
        at: { x: event.clientX, y: event.clientY },
        target: documentStore.getState().selection[0] ?? null,
      });
    },
    onDoubleClick: (event) => {
      // Nodes and edges are inside the pane.
      if (readOnly || !(event.target instanceof Element) || !event.target.matches(".react-flow__pane"))
        return;
      const at = { x: event.clientX, y: event.clientY };
      openPopup({ kind: "add", at, canvas: flow.screenToFlowPosition(at) });
    },
  };

  const dropTarget = {
    onPointerMove: (event: PointerEvent) => {
      setPointer({ x: event.clientX, y: event.clientY });
      event.currentTarget.toggleAttribute("data-on-said", lineSaidAt(event) !== undefined);
    },
    onPointerLeave: () => setPointer(undefined),
    onDragOver: (event: DragEvent) => {
      if ((!dragData(event) && !event.dataTransfer.types.includes("Files")) || readOnly) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
    },
    onDrop: (event: DragEvent) => {
      if (readOnly) return;
      const at = { x: event.clientX, y: event.clientY };
      const place = flow.screenToFlowPosition(at);
      if (dropFromPalette(event, place) || takenDrop(event.dataTransfer)) return event.preventDefault();
      const file = event.dataTransfer.files[0];
      if (!file) return;
      event.preventDefault();
      void dropFile(file, place);
    },
  };
  return { flow: props, dropTarget, count: nodes.length };
}

/** What a `topology.json` has is drawn into this drawing. */
async function dropFile(file: File, at: { x: number; y: number }): Promise<void> {
  const text = await file.text();
  if (pasteText(text, at)) return;
  toast(`${file.name} is no topology.json with something drawn, no .proto and no IDL`, {
    tone: "bad",
    body: file.name.endsWith(".json") ? whyNoDrawing(text) : "",
  });
}

function openContext(event: MouseEvent | React.MouseEvent, id: string): void {
  event.preventDefault();
  if (!documentStore.getState().selection.includes(id)) select(id);
  openPopup({ kind: "context", at: { x: event.clientX, y: event.clientY }, target: id });
}

/** `members` of bundles while a lasso is drawn. */
function selectChanged(
  changes: readonly (NodeChange<CanvasNode> | EdgeChange<CanvasEdge>)[],
  members?: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): void {
  const picks = changes.filter((change) => change.type === "select");
  if (picks.length === 0) return;
  const selection = new Set(documentStore.getState().selection);
  for (const pick of picks) {
    if (pick.selected) selection.add(pick.id);
    else selection.delete(pick.id);
  }
  const picked = new Set(picks.flatMap((pick) => (pick.selected ? [pick.id] : [])));
  const meant = members ? lassoed(selection, picked, members) : selection;
  // What is selected elsewhere (a message, a pool) gives way to what is selected here.
  const ids = [...meant].filter((id) => !/^(message|enum|pool|binary):/.test(id));
  select(ids);
}

const withResized = (nodes: CanvasNode[], sizes: Sizes): CanvasNode[] =>
  sizes.size === 0
    ? nodes
    : nodes.map((node) => {
        const size = sizes.get(node.id);
        return size ? { ...node, ...size, measured: size } : node;
      });

const verdictOf = (line: Connection | CanvasEdge) =>
  lineVerdict(
    documentStore.getState().topology,
    { node: line.source, handle: line.sourceHandle },
    { node: line.target, handle: line.targetHandle },
  );
