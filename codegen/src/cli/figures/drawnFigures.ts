import {
  calledNames,
  traceRows,
  type LatencyCells,
  type LiveSample,
  type LiveSchema,
  type TraceRow,
} from "../../contract/index.js";
import { latencyOf, rate, type Latency } from "./cells.js";

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

const NO_LATENCY: LatencyCells = [null, null, null, null];

export function stagesOf(
  schema: LiveSchema,
  sample: LiveSample,
  earlier: LiveSample | undefined,
  seconds: number,
): StageFigures[] {
  const keyed = <T extends [flow: number, index: number, ...rest: unknown[]]>(rows: readonly T[] = []) =>
    new Map(rows.map((row) => [`${row[0]}/${row[1]}`, row]));
  const now = keyed(sample.stages);
  const before = keyed(earlier?.stages);
  const waits = keyed(sample.waits);
  const runs = keyed(sample.runs);
  const fused = keyed(sample.fused);
  const ends = keyed(sample.stageOutcomes);
  const endsBefore = keyed(earlier?.stageOutcomes);
  const services = calledNames(schema);
  return schema.flows.flatMap((flow) =>
    flow.stages.flatMap((stage, index): StageFigures[] => {
      const key = `${flow.id}/${index}`;
      const row = now.get(key);
      if (row === undefined) return [];
      const [, , total, errors, ...latency] = row;
      const [, , ...wait] = waits.get(key) ?? [0, 0, ...NO_LATENCY];
      const [, , ...run] = runs.get(key) ?? [0, 0, ...NO_LATENCY];
      const [, , ...whole] = fused.get(key) ?? [0, 0, ...NO_LATENCY];
      const end = ends.get(key);
      const endBefore = endsBefore.get(key);
      return [
        {
          node: `stage:${flow.name}/${stage.id}`,
          service: services.get(stage.service) ?? "",
          total,
          errors,
          callsPerSecond: end
            ? rate(end[2], endBefore?.[2], seconds)
            : rate(total, before.get(key)?.[2], seconds),
          errorsPerSecond: rate(errors, before.get(key)?.[3], seconds),
          expiredPerSecond: end ? rate(end[3], endBefore?.[3], seconds) : null,
          ...latencyOf(latency),
          wait: latencyOf(wait),
          run: latencyOf(run),
          fused: fused.has(key) ? latencyOf(whole) : null,
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
  const now = new Map(sample.calls.map((row) => [row[0], row]));
  const before = new Map(earlier?.calls.map((row) => [row[0], row]));
  const services = calledNames(schema);
  return schema.calls.flatMap(({ id, from, to }): CallFigures[] => {
    const row = now.get(id);
    if (row === undefined) return [];
    const [, total, errors] = row;
    return [
      {
        edge: `call:${services.get(from) ?? ""}>${services.get(to) ?? ""}`,
        total,
        errors,
        callsPerSecond: rate(total, before.get(id)?.[1], seconds),
        errorsPerSecond: rate(errors, before.get(id)?.[2], seconds),
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
  const now = new Map(sample.links?.map((row) => [row[0], row]));
  const before = new Map(earlier?.links?.map((row) => [row[0], row]));
  return links.flatMap(({ id, binary, transport, down = null }): LinkFigures[] => {
    const row = now.get(id);
    if (row === undefined) return [];
    const [, open, waiting, sent, received, broken, roundTripUs] = row;
    return [
      {
        binary,
        transport,
        open,
        waiting,
        sentBytesPerSecond: rate(sent, before.get(id)?.[3], seconds),
        receivedBytesPerSecond: rate(received, before.get(id)?.[4], seconds),
        broken,
        roundTripUs,
        down,
      },
    ];
  });
}

export function tracesOf(schema: LiveSchema, sample: LiveSample): EventFigures[] {
  const flows = new Map(schema.flows.map(({ id, name }) => [id, name]));
  return (sample.traces ?? []).map((trace) => {
    const [flow, startedMs, totalUs, outcome] = trace;
    return {
      node: `flow:${flows.get(flow) ?? ""}`,
      startedMs,
      totalUs,
      outcome,
      steps: traceRows(schema, trace),
    };
  });
}
