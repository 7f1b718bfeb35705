import type { NodeChange, ReactFlowInstance, ReactFlowProps } from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { bundleRef } from "../../kernel/document/edits/bundles.js";
import { snapped } from "../../kernel/document/edits/layout.js";
import { documentStore } from "../../kernel/document/index.js";
import { parseCanvasRef } from "../../kernel/document/canvasRefs.js";
import { binaryUnder } from "../../drawing/geometry/binaryFrames.js";
import { dropNodes } from "../../drawing/edits/drop.js";
import { withDragged, withTarget } from "../../drawing/stableNodes.js";
import type { CanvasEdge } from "../../drawing/toCanvasEdges.js";
import type { CanvasNode, FrameNode } from "../../drawing/toCanvasNodes.js";

interface Point {
  x: number;
  y: number;
}
type Positions = ReadonlyMap<string, Point>;
type DragHandler = NonNullable<ReactFlowProps<CanvasNode, CanvasEdge>["onNodeDrag"]>;
const NONE: Positions = new Map();

/**
 * A drag of nodes lives here, not in the document, until it ends: one undo step, no document change a frame. So frames
 * of binaries stay where they are while a bundle is dragged out of one or into another. Escape puts all back.
 */
export function useNodeDrag(mapped: readonly CanvasNode[], flow: ReactFlowInstance<CanvasNode, CanvasEdge>) {
  // Handlers that are the same whatever is drawn or selected: React Flow has all nodes look at each new one.
  const drawn = useRef(mapped);
  useLayoutEffect(() => void (drawn.current = mapped), [mapped]);
  const [dragged, setDragged] = useState(NONE);
  const [target, setTarget] = useState<string>();
  const state = useRef<"none" | "dragging" | "cancelled">("none");
  const nodes = useMemo(() => withTarget(withDragged(mapped, dragged), target), [mapped, dragged, target]);

  const end = useCallback(() => {
    setDragged(NONE);
    setTarget(undefined);
  }, []);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || state.current !== "dragging") return;
      // What was selected stays so: it is the drag that is left.
      event.stopPropagation();
      state.current = "cancelled";
      end();
    };
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [end]);

  const onNodeDragStart: DragHandler = useCallback(() => void (state.current = "dragging"), []);

  const onNodeDrag: DragHandler = useCallback(
    (event, node, moved) => {
      if (state.current === "dragging") setTarget(targetOf(event, node, moved, drawn.current, flow));
    },
    [flow],
  );

  const onNodeDragStop: DragHandler = useCallback(
    (event, node, moved) => {
      const isCancelled = state.current === "cancelled";
      state.current = "none";
      end();
      if (isCancelled) return;
      const absolute = new Map<string, Point>();
      for (const id of moved.flatMap((one) => (one.type === "frame" ? bundlesIn(one) : one.id))) {
        const at = flow.getInternalNode(id)?.internals.positionAbsolute;
        if (at) absolute.set(id, { x: at.x, y: at.y });
      }
      dropNodes(absolute, targetOf(event, node, moved, drawn.current, flow));
    },
    [flow, end],
  );

  /** Takes what React Flow says of a drag, or of a border that is resized. */
  const onMoves = useCallback((changes: readonly NodeChange<CanvasNode>[], isResizing: boolean) => {
    if (state.current === "cancelled") return;
    const moves = changes.flatMap((change) =>
      change.type === "position" && change.position && (change.dragging || isResizing)
        ? movesOf(change.id, change.position, drawn.current)
        : [],
    );
    if (moves.length > 0) setDragged((before) => new Map([...before, ...moves]));
  }, []);

  return { nodes, onMoves, end, handlers: { onNodeDragStart, onNodeDrag, onNodeDragStop } };
}

/** Where a drag puts a node, and what goes with it: a frame has its bundles come along, by whole steps of the grid. */
function movesOf(id: string, to: Point, mapped: readonly CanvasNode[]): [string, Point][] {
  // Looked for only where it is one: all nodes may be dragged at once.
  const node = id.startsWith("binary:") ? mapped.find((one) => one.id === id) : undefined;
  if (node?.type !== "frame") return [[id, to]];
  const by = { x: snapped(to.x - node.position.x), y: snapped(to.y - node.position.y) };
  const going = new Set([id, ...bundlesIn(node)]);
  return mapped.flatMap((one): [string, Point][] =>
    going.has(one.id) ? [[one.id, { x: one.position.x + by.x, y: one.position.y + by.y }]] : [],
  );
}

const bundlesIn = (frame: FrameNode): string[] =>
  documentStore
    .getState()
    .topology.binaries.filter(({ name }) => name === frame.data.name)
    .flatMap(({ bundles }) => bundles.map(bundleRef));

/** The binary in whose frame the pointer has the bundles that are dragged. */
function targetOf(
  event: MouseEvent | TouchEvent | React.MouseEvent,
  grabbed: CanvasNode,
  moved: readonly CanvasNode[],
  mapped: readonly CanvasNode[],
  flow: ReactFlowInstance<CanvasNode, CanvasEdge>,
): string | undefined {
  const bundle = [grabbed, ...moved].find(({ type }) => type === "bundle");
  const ref = bundle && parseCanvasRef(bundle.id);
  const point = "changedTouches" in event ? event.changedTouches[0] : event;
  if (ref?.kind !== "bundle" || !point) return undefined;
  const at = flow.screenToFlowPosition({ x: point.clientX, y: point.clientY });
  const own = documentStore
    .getState()
    .topology.binaries.filter(({ bundles }) => bundles.includes(ref.bundle))
    .map(({ name }) => name);
  const frames = mapped.flatMap((node) =>
    node.type === "frame"
      ? [{ name: node.data.name, ...node.position, width: node.width ?? 0, height: node.height ?? 0 }]
      : [],
  );
  return binaryUnder(frames, at, own);
}
