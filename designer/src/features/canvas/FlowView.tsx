import {
  Background,
  BackgroundVariant,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useStore as useFlowStore,
  type EdgeTypes,
  type NodeTypes,
} from "@xyflow/react";
import { useCallback, useState } from "react";
import { useStore } from "zustand";
import { allTracks, liveStore } from "../../kernel/live/liveStore.js";
import { useAfterFirstPicture } from "../../kernel/ui/FirstPicture.js";
import { contributed } from "../../registry/feature.js";
import { LEGIBLE_ZOOM } from "../../drawing/paint/brush.js";
import "./canvas.css";
import { CanvasControls } from "./CanvasControls.js";
import { ConnectionReason } from "./ConnectionReason.js";
import { DrawingMap } from "./DrawingMap.js";
import { EmptyCanvas } from "./EmptyCanvas.js";
import { CallEdgeView } from "./edges/CallEdgeView.js";
import { CatchEdgeView } from "./edges/CatchEdgeView.js";
import { FlowEdgeView } from "./edges/FlowEdgeView.js";
import { FarContext, useAllFarOut } from "./nodes/farOut.js";
import { FarHint } from "./FarHint.js";
import { MIN_ZOOM } from "../../drawing/screen/fit.js";
import { FusedBrackets } from "./FusedBrackets.js";
import { CanvasPopups } from "./menus/CanvasPopups.js";
import { BundleNodeView } from "./nodes/BundleNodeView.js";
import { FrameNodeView } from "./nodes/FrameNodeView.js";
import { ServiceNodeView } from "./nodes/ServiceNodeView.js";
import { SourceNodeView } from "./nodes/SourceNodeView.js";
import type { CanvasEdge } from "../../drawing/toCanvasEdges.js";
import type { CanvasNode } from "../../drawing/toCanvasNodes.js";
import { useCanvas } from "./useCanvas.js";
import { useFirstViewport } from "./useFirstViewport.js";
import { useGivenPorts } from "./useGivenPorts.js";
import { useReveal } from "./useReveal.js";

// Outside the component: React Flow re-creates every node when these change identity.
const nodeTypes: NodeTypes = {
  service: ServiceNodeView,
  source: SourceNodeView,
  bundle: BundleNodeView,
  frame: FrameNodeView,
};
const edgeTypes: EdgeTypes = { call: CallEdgeView, flow: FlowEdgeView, catch: CatchEdgeView };
const SNAP: [number, number] = [11, 11];
const MULTI_SELECT_KEYS = ["Shift", "Meta", "Control"];

/** Far out edges are painted; more than these, and all in the first picture, are no elements of the page besides. */
const FAR_EDGES = 300;
const NO_EDGES: CanvasEdge[] = [];
/** Not far out: there they are a haze, and painting it anew takes longer than all the rest of a frame. */
const DOTS = <Background variant={BackgroundVariant.Dots} gap={22} size={1.5} color="var(--dots)" />;

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
  const { frame, viewport, paintedAlone } = useFirstViewport(canvas.flow.nodes ?? []);
  const far = useFlowStore((state) => state.transform[2] < LEGIBLE_ZOOM);
  const [pointed, setPointed] = useState<string | null>(null);
  // The same in each render, as those of useCanvas().
  const point = useCallback((_event: unknown, node: CanvasNode) => setPointed(node.id), []);
  const pointAway = useCallback(() => setPointed(null), []);
  const allNodes = useAllFarOut(far, canvas.count);
  const { edges = NO_EDGES } = canvas.flow;
  const shown = useAfterFirstPicture();
  const edgesPainted = far && (edges.length > FAR_EDGES || !shown);
  // The overlay paints the rows of implementations while figures come; until then the nodes name them.
  const live = useStore(liveStore, () => [...allTracks()].length > 0);
  const layers = contributed("Layer").map((Layer, index) => (
    <Layer key={index} farEdges={far ? edges : NO_EDGES} />
  ));
  return (
    <main
      ref={frame}
      className="canvas"
      aria-label="Flow"
      data-testid="canvas"
      data-takes-files
      data-live={live}
      data-far={far}
      tabIndex={-1}
      {...canvas.dropTarget}
    >
      <h1 className="sr-only">Flow</h1>
      <FarContext value={far}>
        {paintedAlone ? (
          layers
        ) : viewport ? (
          <ReactFlow<CanvasNode, CanvasEdge>
            {...canvas.flow}
            edges={edgesPainted ? NO_EDGES : edges}
            defaultViewport={viewport}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onNodeMouseEnter={point}
            onNodeMouseLeave={pointAway}
            onlyRenderVisibleElements={!allNodes}
            snapToGrid
            snapGrid={SNAP}
            minZoom={MIN_ZOOM}
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
            {far ? null : DOTS}
            {canvas.count > 0 && shown ? (
              <Panel position="bottom-right" className="drawing-map-panel">
                <DrawingMap />
              </Panel>
            ) : null}
            <FusedBrackets edges={edges} />
            {shown ? <CanvasControls /> : null}
            <ConnectionReason />
            {layers}
            {far && pointed !== null ? <FarHint node={pointed} /> : null}
          </ReactFlow>
        ) : null}
      </FarContext>
      {canvas.count === 0 ? <EmptyCanvas /> : null}
      <CanvasPopups />
    </main>
  );
}
