import type { Topology } from "@penstock/codegen/topology";
import { connection, type End, type Verdict } from "../../drawing/edits/connect.js";
import { reconnection } from "../../drawing/edits/reconnect.js";

/** The line whose end is being dragged; undefined while a new one is drawn, or none. */
let dragged: string | undefined;

export const setDraggedEdge = (edge: string | undefined): void => {
  dragged = edge;
};
export const isEdgeDragged = (): boolean => dragged !== undefined;

/** What the line being drawn would mean: a new one, or the dragged one on another course. */
export const lineVerdict = (topology: Topology, from: End, to: End): Verdict =>
  dragged === undefined ? connection(topology, from, to) : reconnection(topology, dragged, from, to);
