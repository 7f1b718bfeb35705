import type { Topology } from "@penstock/codegen/topology";
import { connection, type End, type Verdict } from "../../drawing/edits/connect.js";
import { reconnection } from "../../drawing/edits/reconnect.js";
import type { FinalConnectionState } from "@xyflow/react";
import { documentStore, edit } from "../../kernel/document/index.js";
import { dismissToast, toast } from "../../kernel/ui/index.js";
import { PORTS } from "../../kernel/document/canvasRefs.js";
import { openPopup } from "../../registry/popups.js";

/** The line whose end is being dragged; undefined while a new one is drawn, or none. */
let dragged: string | undefined;

export const setDraggedEdge = (edge: string | undefined): void => {
  dragged = edge;
};
const isEdgeDragged = (): boolean => dragged !== undefined;

/** What was said of the last line that may not be drawn; it stands until it is closed, or a line is drawn. */
let refused: number | undefined;

/** What the line being drawn would mean: a new one, or the dragged one on another course. */
export const lineVerdict = (topology: Topology, from: End, to: End): Verdict =>
  dragged === undefined ? connection(topology, from, to) : reconnection(topology, dragged, from, to);

/**
 * A line let go: over a port React Flow has already connected it; over a node it goes to the port
 * that fits; over nothing a new one asks what to add there. A refused one says why.
 */
export function finishLine(
  event: MouseEvent | TouchEvent,
  state: FinalConnectionState,
  toCanvas: (at: { x: number; y: number }) => { x: number; y: number },
): void {
  if (state.isValid || !state.fromNode || !state.fromHandle?.id) return;
  const point = "changedTouches" in event ? event.changedTouches[0] : event;
  if (!point) return;
  const at = { x: point.clientX, y: point.clientY };
  const from = { node: state.fromNode.id, handle: state.fromHandle.id };
  const under =
    state.toNode?.id ??
    document.elementsFromPoint(at.x, at.y).flatMap((element) => {
      const id = element.closest(".react-flow__node")?.getAttribute("data-id");
      return id && !/^(bundle|binary):/.test(id) ? [id] : [];
    })[0];
  if (under === undefined) {
    if (state.fromHandle.type === "source" && !isEdgeDragged())
      openPopup({ kind: "add", at, canvas: toCanvas(at), from });
    return;
  }
  if (under === from.node && !state.toHandle) return;
  const to: End = { node: under, handle: state.toHandle?.id ?? fittingPort(from.handle) };
  const [source, target] = state.fromHandle.type === "source" ? [from, to] : [to, from];
  const verdict = lineVerdict(documentStore.getState().topology, source, target);
  if (verdict.ok) drawLine(verdict);
  else refused = toast(verdict.reason, { tone: "warn", about: "a line that was refused", lasts: 0 });
}

/** Draws a line that may be drawn, and says what there is to know about it. */
export function drawLine({ label, edit: draw, note }: Extract<Verdict, { ok: true }>): void {
  edit(label, draw);
  if (refused !== undefined) dismissToast(refused);
  refused = undefined;
  if (note !== undefined)
    toast(note, {
      tone: "warn",
      body: "That runs, but a handler has to end it: each round waits for the next.",
    });
}

const fittingPort = (from: string): string =>
  from === PORTS.callOut
    ? PORTS.callIn
    : from === PORTS.callIn
      ? PORTS.callOut
      : from === PORTS.flowOut
        ? PORTS.flowIn
        : PORTS.flowOut;
