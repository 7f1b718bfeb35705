import {
  DEFAULT_POOL,
  type Join,
  type Topology,
  threadFigures,
  transportTo,
  type Binary,
  type Transport,
} from "@penstock/codegen/topology";
import type { Edge } from "@xyflow/react";
import { MarkerType } from "@xyflow/system";
import { flowRef, nodeOfService, stageRef } from "../kernel/document/edits/flows.js";
import { stageLooks, type StageLook } from "./queries/virtualStages.js";
import { typeColor } from "./queries/chips.js";
import { callEdgeId, catchEdgeId, linkEdgeId } from "../kernel/document/edgeIds.js";
import { PORTS } from "../kernel/document/canvasRefs.js";
import { flowLinks } from "./queries/links.js";
import { binariesOf, binariesOfFlow, servedElsewhere } from "../kernel/document/edits/binaries.js";

export type CallEdgeData = {
  each: boolean;
  /** The binary that it leads to, where it leaves its own. */
  away: Away | undefined;
};
export type FlowEdgeData = {
  flow: string;
  stage: string;
  /** The slot is on this edge: it is the first into its stage. */
  slot: boolean;
  join: JoinLook | undefined;
  /** The values for which the branch is taken; undefined where it always is. */
  when: string | undefined;
  /** Colour of the virtual stage that both ends are parts of. */
  fused: string | undefined;
  /** And the threads that run both. */
  threads: string;
  /** The binary that runs the stage, where it is not that of the flow. */
  away: Away | undefined;
};
export interface JoinLook {
  threads: string;
  pool: string | undefined;
  color: string;
}

export type CallEdge = Edge<CallEdgeData, "call">;
export type FlowEdge = Edge<FlowEdgeData, "flow">;
export type CatchEdge = Edge<FlowEdgeData, "catch">;
export type CanvasEdge = CallEdge | FlowEdge | CatchEdge;

const ARROW = { type: MarkerType.ArrowClosed, width: 12, height: 12 };
const OPEN_ARROW = { type: MarkerType.Arrow, width: 14, height: 14 };

/** Calls and links as React Flow edges: the other of the two mappers. */
export function toCanvasEdges(topology: Topology, selection: readonly string[]): CanvasEdge[] {
  const selected = new Set(selection);
  const services = new Map(topology.services.map((service) => [service.name, service]));
  const edges: CanvasEdge[] = [];
  for (const flow of topology.flows) {
    const seen = new Set<string>();
    const looks = new Map(stageLooks(topology, flow).map((look, index) => [flow.stages[index]?.id, look]));
    const stages = new Map(flow.stages.map((stage) => [stage.id, stage]));
    const serving = binariesOfFlow(topology, flow.name);
    for (const link of flowLinks(flow, (name) => services.get(name)?.response !== undefined)) {
      const first = !seen.has(link.to);
      seen.add(link.to);
      const id = link.catches
        ? catchEdgeId(flow.name, link.to)
        : linkEdgeId(flow.name, link.to, first ? undefined : (link.from ?? ""));
      const from = link.from === undefined ? undefined : stages.get(link.from);
      const into = stages.get(link.to);
      const when = typeof into?.when === "string" ? into.when : into?.when?.join(", ");
      const source = from ? stageRef(flow.name, from.id) : flowRef(flow.name);
      const value = from?.role === "side-effect" ? undefined : from && services.get(from.service)?.response;
      const color = typeColor(topology, from ? (value ?? services.get(from.service)?.request) : flow.event);
      edges.push({
        id: link.catches && !first ? `${id}<${link.from ?? ""}` : id,
        type: link.catches ? "catch" : "flow",
        source,
        target: stageRef(flow.name, link.to),
        sourceHandle: PORTS.flowOut,
        targetHandle: PORTS.flowIn,
        reconnectable: link.catches ? false : ends(selected.has(id)),
        selected: selected.has(id),
        ariaLabel: `${link.catches ? "Catch" : "Flow"} ${flow.name}: ${from?.service ?? "source"} to ${into?.service ?? link.to}${when === undefined ? "" : `, when ${when}`}`,
        ...(link.catches ? {} : { markerEnd: { ...ARROW, color: "var(--edge)" } }),
        style: { "--type": color } as React.CSSProperties,
        data: {
          flow: flow.name,
          stage: link.to,
          slot: first,
          join: first ? joinLook(into?.join, topology, looks.get(link.to)?.color) : undefined,
          when,
          threads: looks.get(link.to)?.threads ?? "",
          fused: from ? bandBetween(looks.get(from.id), looks.get(link.to)) : undefined,
          away: into && awayFrom(topology, serving, into.service),
        },
      });
    }
  }
  for (const service of topology.services) {
    for (const callee of service.calls) {
      if (!services.has(callee)) continue;
      const id = callEdgeId(service.name, callee);
      const away = awayFrom(topology, binariesOf(topology, service.name), callee);
      edges.push({
        id,
        type: "call",
        reconnectable: ends(selected.has(id)),
        source: nodeOfService(topology, service.name),
        target: nodeOfService(topology, callee),
        sourceHandle: PORTS.callOut,
        targetHandle: PORTS.callIn,
        selected: selected.has(id),
        ariaLabel: `Call: ${service.name} asks ${callee}${away === undefined ? "" : ` in ${away.binary}`}`,
        markerEnd: { ...OPEN_ARROW, color: "var(--edge)" },
        data: { each: (services.get(callee)?.implementations.length ?? 0) > 1, away },
      });
    }
  }
  return edges;
}

/** The ends that can be dragged: the foot only when chosen, as new lines are drawn from the port beside it. */
const ends = (selected: boolean): true | "target" => selected || "target";

/** The colour that hangs two stages together: the second runs fused, and where the first one runs. */
const bandBetween = (from: StageLook | undefined, to: StageLook | undefined): string | undefined =>
  to?.fused && from?.color === to.color ? to.color : undefined;

/** What stands on the pill of a join: its threads, and the colour of where it runs. */
export function joinLook(
  join: Join | undefined,
  topology: Topology,
  color = "var(--text-3)",
): JoinLook | undefined {
  if (!join) return undefined;
  if (!("pool" in join)) return { threads: String(join.threads), pool: undefined, color };
  const drawn = topology.binaries.flatMap(({ pools }) => pools).find(({ name }) => name === join.pool);
  if (!drawn && join.pool !== DEFAULT_POOL) return { threads: "?", pool: join.pool, color: "var(--bad)" };
  return { threads: drawn ? threadFigures(drawn.threads) : "", pool: join.pool, color };
}

/** Another binary that a line leads to, and what carries it there. */
export interface Away {
  binary: string;
  transport: Transport;
}

/** Where a line leads, if the first of the binaries that it comes from does not serve its end itself. */
export function awayFrom(topology: Topology, [here]: readonly Binary[], service: string): Away | undefined {
  if (!here || !servedElsewhere(topology, here)(service)) return undefined;
  const there = binariesOf(topology, service)[0];
  return there && { binary: there.name, transport: transportTo(there) };
}
