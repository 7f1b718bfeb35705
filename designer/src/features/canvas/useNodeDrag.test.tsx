import { act, cleanup, fireEvent, renderHook } from "@testing-library/react";
import type { ReactFlowInstance } from "@xyflow/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { documentStore } from "../../kernel/document/index.js";
import type { CanvasEdge } from "../../drawing/toCanvasEdges.js";
import { toCanvasNodes, type CanvasNode } from "../../drawing/toCanvasNodes.js";
import { openTwoBinaries } from "../../testing/twoBinaries.js";
import { useNodeDrag } from "./useNodeDrag.js";

const state = () => documentStore.getState();
const served = () => state().topology.binaries.map(({ bundles }) => bundles);

/** A drag of bundles, or of a frame, by hand: the canvas is where the page is. */
function dragging(...names: string[]) {
  const { topology, layout } = state();
  const mapped = toCanvasNodes(topology, layout, []);
  let now: readonly CanvasNode[] = mapped;
  const flow = {
    screenToFlowPosition: (at: { x: number; y: number }) => at,
    getInternalNode: (id: string) => ({
      internals: { positionAbsolute: now.find((node) => node.id === id)!.position },
    }),
  } as unknown as ReactFlowInstance<CanvasNode, CanvasEdge>;
  const { result } = renderHook(() => {
    const drag = useNodeDrag(mapped, flow);
    now = drag.nodes;
    return drag;
  });
  const moved = names.map((name) => mapped.find(({ data }) => data.name === name)!);
  const [grabbed] = moved as [CanvasNode];
  const pointer = (x: number, y: number) => ({ clientX: x, clientY: y }) as React.MouseEvent & MouseEvent;
  const { handlers } = result.current;
  act(() => handlers.onNodeDragStart(pointer(0, 0), grabbed, moved));
  return {
    to: (x: number, y: number) =>
      act(() => {
        result.current.onMoves(
          moved.map(({ id, position }) => ({
            id,
            type: "position",
            dragging: true,
            position: { x: position.x + x - grabbed.position.x, y: position.y + y - grabbed.position.y },
          })),
          false,
        );
        handlers.onNodeDrag(pointer(x, y), grabbed, moved);
      }),
    letGo: (x: number, y: number) => act(() => handlers.onNodeDragStop(pointer(x, y), grabbed, moved)),
    target: () =>
      result.current.nodes.flatMap((node) => (node.type === "frame" && node.data.target ? [node.id] : [])),
    moves: () => result.current.nodes.filter((node) => node.dragging).map(({ id }) => id),
  };
}

describe("a bundle that is dragged", () => {
  beforeEach(() => openTwoBinaries());
  afterEach(cleanup);

  it("marks the frame that it would go to, and goes there", () => {
    const drag = dragging("Logs");
    drag.to(1300, 700);
    expect(drag.target()).toEqual([]);
    drag.to(300, 50);
    expect(drag.target()).toEqual(["binary:ads-server"]);
    expect(state().past).toEqual([]);
    drag.letGo(300, 50);
    expect(drag.target()).toEqual([]);
    expect(served()).toEqual([["AdBundle", "Logs"], ["Models"]]);
    expect(state().past).toHaveLength(1);
  });

  it("goes by the pointer, with all that are dragged with it", () => {
    const drag = dragging("Logs", "Models");
    drag.to(300, 50);
    drag.letGo(300, 50);
    expect(served()).toEqual([["AdBundle", "Logs", "Models"], []]);
    expect(state().past).toHaveLength(1);
  });

  it("stays where it was after Escape, however the pointer goes on", () => {
    const { topology, layout } = state();
    const drag = dragging("Logs");
    drag.to(300, 50);
    fireEvent.keyDown(window, { key: "Escape" });
    expect([drag.target(), drag.moves()]).toEqual([[], []]);
    drag.to(310, 50);
    expect([drag.target(), drag.moves()]).toEqual([[], []]);
    drag.letGo(310, 50);
    expect([state().topology, state().layout]).toEqual([topology, layout]);
    expect(state().past).toEqual([]);
  });

  it("leaves the frame of its own binary, which stays in place meanwhile", () => {
    const drag = dragging("Models");
    drag.to(5000, 5000);
    drag.letGo(5000, 5000);
    expect(served()).toEqual([["AdBundle"], ["Models", "Logs"]]);
    expect(state().past).toHaveLength(1);
  });

  it("goes along with the frame that it is in, by whole steps of the grid", () => {
    const places = () => ({ ...state().layout.nodes });
    const before = places();
    const { x, y } = before["service:ProduceAd"]!;
    const from = toCanvasNodes(state().topology, state().layout, []).find(
      ({ id }) => id === "binary:models-server",
    )!.position;
    const drag = dragging("models-server");
    drag.to(from.x + 113, from.y - 54);
    expect(drag.moves()).toEqual(["binary:models-server", "bundle:Models", "bundle:Logs"]);
    expect(drag.target()).toEqual([]);
    drag.letGo(from.x + 113, from.y - 54);
    const log = before["stage:Impressions/log"]!;
    expect(places()).toMatchObject({
      ...before,
      "service:ProduceAd": { x: x + 110, y: y - 55 },
      "stage:Impressions/log": { x: log.x + 110, y: log.y - 55 },
    });
    expect(served()).toEqual([["AdBundle"], ["Models", "Logs"]]);
    expect(state().past).toHaveLength(1);
  });
});
