import {
  Background,
  BackgroundVariant,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useStore as useFlowStore,
  type EdgeTypes,
  type NodeTypes,
} from "@xyflow/react";
import { useStore } from "zustand";
import { allTracks, liveStore } from "../live/liveStore.js";
import { LiveOverlay } from "../live/LiveOverlay.js";
import "./canvas.css";
import { CanvasControls } from "./CanvasControls.js";
import { ConnectionReason } from "./ConnectionReason.js";
import { EmptyCanvas } from "./EmptyCanvas.js";
import { CallEdgeView } from "./edges/CallEdgeView.js";
import { CatchEdgeView } from "./edges/CatchEdgeView.js";
import { FlowEdgeView } from "./edges/FlowEdgeView.js";
import { CanvasPopups } from "./menus/CanvasPopups.js";
import { BundleNodeView } from "./nodes/BundleNodeView.js";
import { ServiceNodeView } from "./nodes/ServiceNodeView.js";
import { SourceNodeView } from "./nodes/SourceNodeView.js";
import type { CanvasEdge } from "./toCanvasEdges.js";
import type { CanvasNode } from "./toCanvasNodes.js";
import { useCanvas } from "./useCanvas.js";
import { useGivenPorts } from "./useGivenPorts.js";
import { useReveal } from "./useReveal.js";
import { minimapColor } from "./minimapColor.js";

// Outside the component: React Flow re-creates every node when these change identity.
const nodeTypes: NodeTypes = { service: ServiceNodeView, source: SourceNodeView, bundle: BundleNodeView };
const edgeTypes: EdgeTypes = { call: CallEdgeView, flow: FlowEdgeView, catch: CatchEdgeView };
const SNAP: [number, number] = [11, 11];
const MULTI_SELECT_KEYS = ["Shift", "Meta", "Control"];

const MINIMAP = { width: 164, height: 92 };

/** Above this many nodes the minimap, which draws an element a node, is left out. */
const MINIMAP_LIMIT = 600;
/** Below this zoom words are too small to read and are left out. */
const READABLE_ZOOM = 0.35;

/** The drawing: the document as a React Flow canvas, the live figures on an overlay above it. */
export function FlowView() {
  return (
    <ReactFlowProvider>
      <Canvas />
    </ReactFlowProvider>
  );
}

function Canvas() {
  useGivenPorts();
  const canvas = useCanvas();
  useReveal();
  const far = useFlowStore((state) => state.transform[2] < READABLE_ZOOM);
  // The overlay paints the rows of implementations while figures come; until then the nodes name them.
  const live = useStore(liveStore, () => [...allTracks()].length > 0);
  return (
    <main
      className="canvas"
      aria-label="Flow"
      data-testid="canvas"
      data-live={live}
      data-far={far}
      tabIndex={-1}
      {...canvas.dropTarget}
    >
      <h1 className="sr-only">Flow</h1>
      <ReactFlow<CanvasNode, CanvasEdge>
        {...canvas.flow}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onlyRenderVisibleElements
        snapToGrid
        snapGrid={SNAP}
        minZoom={0.04}
        maxZoom={2.5}
        connectionRadius={28}
        selectionOnDrag
        selectionMode={SelectionMode.Partial}
        panOnDrag={[1, 2]}
        panOnScroll
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        multiSelectionKeyCode={MULTI_SELECT_KEYS}
        selectNodesOnDrag={false}
        elevateEdgesOnSelect
        disableKeyboardA11y
        aria-label="Flow drawing"
      >
        <Background variant={BackgroundVariant.Dots} gap={22} size={1.5} color="var(--dots)" />
        {canvas.count <= MINIMAP_LIMIT && canvas.count > 0 ? (
          <MiniMap<CanvasNode>
            pannable
            zoomable
            position="bottom-right"
            nodeColor={minimapColor}
            style={MINIMAP}
            nodeBorderRadius={6}
            maskStrokeColor="var(--accent)"
            maskStrokeWidth={1.5}
            maskColor="var(--minimap-mask)"
            ariaLabel="Map of the drawing"
          />
        ) : null}
        <CanvasControls />
        <ConnectionReason />
        <LiveOverlay />
      </ReactFlow>
      {canvas.count === 0 ? <EmptyCanvas /> : null}
      <CanvasPopups />
    </main>
  );
}
