import {
  calledNames,
  liveRows,
  sampledEvents,
  traceRows,
  type LiveSample,
  type LiveSchema,
  type TraceRow,
} from "../../contract/index.js";
import { byId, latencyOf, rate, type Latency } from "./cells.js";

/** One stage of a flow; the latency is that of waiting and running, its rate is of what was run. */
export interface StageFigures extends Latency {
  /** `stage:Impressions/log`. */
  node: string;
  service: string;
  total: number;
  errors: number;
  callsPerSecond: number | null;
  errorsPerSecond: number | null;
  /** Events whose deadline had passed when they came; null where the binary does not count them. */
  expiredPerSecond: number | null;
  /** How long events waited for their turn and in the queue, and how long the handler ran. */
  wait: Latency;
  run: Latency;
  /** Of the virtual stage that begins here, from its start to its end; null where none does. */
  fused: Latency | null;
}

/** One drawn call. */
export interface CallFigures {
  /** `call:GetAd>ProduceAd`. */
  edge: string;
  total: number;
  errors: number;
  callsPerSecond: number | null;
  errorsPerSecond: number | null;
}

/** The links to another binary. */
export interface LinkFigures {
  binary: string;
  transport: string;
  /** Connections that stand. */
  open: number;
  /** Calls that no process of it takes yet. */
  waiting: number;
  sentBytesPerSecond: number | null;
  receivedBytesPerSecond: number | null;
  /** Connections that neither end meant to end, since the start. */
  broken: number;
  /** Of the last ping; null: none yet. */
  roundTripUs: number | null;
  /** Of the last pings; null: there was none, or it is of a build before. */
  roundTripP50Us: number | null;
  roundTripP99Us: number | null;
  /** How many packets of the last seconds went again, in percent; null: too few went, or none can be lost. */
  resentPercent: number | null;
  /** Why no process of it is reached; null: one is, or nobody needs one. */
  down: string | null;
}

/** The way of a sampled event through its flow. */
export interface EventFigures {
  /** `flow:Impressions`. */
  node: string;
  /** Milliseconds since the binary's start; with the flow this names the event. */
  startedMs: number;
  totalUs: number;
  outcome: "completed" | "failed" | "dropped";
  steps: TraceRow[];
}

const byStage = <Row extends { flow: number; index: number }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [`${row.flow}/${row.index}`, row]));

export function stagesOf(
  schema: LiveSchema,
  sample: LiveSample,
  earlier: LiveSample | undefined,
  seconds: number,
): StageFigures[] {
  const now = byStage(liveRows(sample, "stages"));
  const before = byStage(liveRows(earlier, "stages"));
  const waits = byStage(liveRows(sample, "waits"));
  const runs = byStage(liveRows(sample, "runs"));
  const fused = byStage(liveRows(sample, "fused"));
  const ends = byStage(liveRows(sample, "stageOutcomes"));
  const endsBefore = byStage(liveRows(earlier, "stageOutcomes"));
  const services = calledNames(schema);
  return schema.flows.flatMap((flow) =>
    flow.stages.flatMap((stage, index): StageFigures[] => {
      const key = `${flow.id}/${index}`;
      const row = now.get(key);
      if (row === undefined) return [];
      const { count: total, errors, latency } = row;
      const whole = fused.get(key);
      const end = ends.get(key);
      const endBefore = endsBefore.get(key);
      return [
        {
          node: `stage:${flow.name}/${stage.id}`,
          service: services.get(stage.service) ?? "",
          total,
          errors,
          callsPerSecond: end
            ? rate(end.served, endBefore?.served, seconds)
            : rate(total, before.get(key)?.count, seconds),
          errorsPerSecond: rate(errors, before.get(key)?.errors, seconds),
          expiredPerSecond: end ? rate(end.expired, endBefore?.expired, seconds) : null,
          ...latencyOf(latency),
          wait: latencyOf(waits.get(key)?.latency),
          run: latencyOf(runs.get(key)?.latency),
          fused: whole ? latencyOf(whole.latency) : null,
        },
      ];
    }),
  );
}

export function callsOf(
  schema: LiveSchema,
  sample: LiveSample,
  earlier: LiveSample | undefined,
  seconds: number,
): CallFigures[] {
  const now = byId(liveRows(sample, "calls"));
  const before = byId(liveRows(earlier, "calls"));
  const services = calledNames(schema);
  return schema.calls.flatMap(({ id, from, to }): CallFigures[] => {
    const row = now.get(id);
    if (row === undefined) return [];
    const { count: total, errors } = row;
    return [
      {
        edge: `call:${services.get(from) ?? ""}>${services.get(to) ?? ""}`,
        total,
        errors,
        callsPerSecond: rate(total, before.get(id)?.count, seconds),
        errorsPerSecond: rate(errors, before.get(id)?.errors, seconds),
      },
    ];
  });
}

export function linksOf(
  { links = [] }: LiveSchema,
  sample: LiveSample,
  earlier: LiveSample | undefined,
  seconds: number,
): LinkFigures[] {
  const now = byId(liveRows(sample, "links"));
  const before = byId(liveRows(earlier, "links"));
  return links.flatMap(({ id, binary, transport, down = null }): LinkFigures[] => {
    const row = now.get(id);
    if (row === undefined) return [];
    const { open, waiting, sentBytes, receivedBytes, broken, roundTripUs, resentPercent = null } = row;
    const { roundTripP50Us = null, roundTripP99Us = null } = row;
    return [
      {
        binary,
        transport,
        open,
        waiting,
        sentBytesPerSecond: rate(sentBytes, before.get(id)?.sentBytes, seconds),
        receivedBytesPerSecond: rate(receivedBytes, before.get(id)?.receivedBytes, seconds),
        broken,
        roundTripUs,
        roundTripP50Us,
        roundTripP99Us,
        resentPercent,
        down,
      },
    ];
  });
}

export function tracesOf(schema: LiveSchema, sample: LiveSample): EventFigures[] {
  const flows = new Map(schema.flows.map(({ id, name }) => [id, name]));
  return sampledEvents(sample).map(({ flow, startedMs, totalUs, outcome, trace }) => ({
    node: `flow:${flows.get(flow) ?? ""}`,
    startedMs,
    totalUs,
    outcome,
    steps: traceRows(schema, trace),
  }));
}
