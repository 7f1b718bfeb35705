import { threadName } from "../model/topology/index.js";
import { calledNames, type EventTrace, type LiveSample, type LiveSchema } from "./live.js";
import type { AskedCall, TraceCallRow } from "./liveRows.js";
import { askedCalls, traceCalls, traceSteps } from "./readRows.js";

/** What one stage did with the event, or a call that it made did. */
export interface TraceRow {
  /** Of a call: the stage that it was made for. */
  stage: string;
  service: string;
  /** Of a call, where its service has several; else "". */
  implementation: string;
  /** 0: a stage; a call is one deeper than who made it. */
  depth: number;
  /** Thread as in `front·0`; "" where nothing has begun. */
  thread: string;
  /** Microseconds since the event was emitted, in the queue, in the handler; null: not over when this was told. */
  atUs: number;
  waitUs: number | null;
  runUs: number | null;
  failed: boolean;
  /** The binary that it was asked of, where that is another one: what it took is the time until its answer, and the thread that of who asked. */
  away?: string;
}

/** The sampled events that a sample tells of, each with the trace that its rows are made of. */
export const sampledEvents = ({ traces = [] }: Pick<LiveSample, "traces">) =>
  traces.map((trace) => {
    const [flow, startedMs, totalUs, outcome] = trace;
    return { flow, startedMs, totalUs, outcome, trace };
  });

/** The steps of an event by name, in the order in which it came to the stages, each with the calls it made. */
export function traceRows(
  schema: LiveSchema,
  [flowId, , , , saidSteps, saidCalls = []]: EventTrace,
): TraceRow[] {
  const steps = traceSteps(saidSteps);
  const calls = traceCalls(saidCalls);
  const flow = schema.flows.find(({ id }) => id === flowId);
  const services = new Map(schema.services.map((service) => [service.id, service]));
  const names = calledNames(schema);
  const others = new Map(schema.remotes?.map(({ id, binary }) => [id, binary]));
  const awayOf = (service: number): Pick<TraceRow, "away"> => {
    const away = others.get(service);
    return away === undefined ? {} : { away };
  };
  const pools = new Map(schema.pools.map(({ id, name }) => [id, name]));
  const ranOn = (pool: number | null, thread: number | null): string =>
    pool === null || thread === null ? "" : threadName(pools.get(pool) ?? "?", thread);

  const childrenOf = new Map<number, number[]>();
  calls.forEach(({ parent }, index) => childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), index]));

  const callRow = (
    { service, implementation, pool, thread, atUs, waitUs, runUs, failed }: TraceCallRow,
    above: TraceRow,
  ): TraceRow => {
    const called = services.get(service);
    return {
      stage: above.stage,
      service: names.get(service) ?? "",
      implementation:
        (called?.implementations.length ?? 0) > 1 ? (called?.implementations[implementation] ?? "") : "",
      depth: above.depth + 1,
      thread: ranOn(pool, thread),
      atUs,
      waitUs,
      runUs,
      failed: failed === 1,
      ...awayOf(service),
    };
  };
  /** A row with the rows of all that was called for it; a parent stands before its calls, so this ends. */
  const withCalls = (row: TraceRow, place: number): TraceRow[] => [
    row,
    ...(childrenOf.get(place) ?? []).flatMap((index) => {
      const call = calls[index];
      const own = steps.length + index;
      return call && own > place ? withCalls(callRow(call, row), own) : [];
    }),
  ];

  return steps
    .map(({ stage: index, pool, thread, atUs, waitUs, runUs, failed }, place): [TraceRow, number] => {
      const stage = flow?.stages[index];
      const row = {
        stage: stage?.id ?? String(index),
        service: names.get(stage?.service ?? -1) ?? "",
        implementation: "",
        depth: 0,
        thread: ranOn(pool, thread),
        atUs,
        waitUs,
        runUs,
        failed: failed === 1,
        ...awayOf(stage?.service ?? -1),
      };
      return [row, place];
    })
    .toSorted(([a], [b]) => a.atUs - b.atUs)
    .flatMap(([row, place]) => withCalls(row, place));
}

/** The way of a question by name, each call below who made it. */
export function askedRows(trace: readonly AskedCall[]): TraceRow[] {
  const calls = askedCalls(trace);
  const below = (place: number | null, depth: number): TraceRow[] =>
    calls.flatMap(({ parent, service, implementation, thread, atUs, waitUs, runUs, failed }, own) =>
      // Who made it stands before it, so this ends.
      parent === place && (place === null || place < own)
        ? [
            {
              stage: "",
              service,
              implementation,
              depth,
              thread,
              atUs,
              waitUs,
              runUs,
              failed: failed === 1,
            },
            ...below(own, depth + 1),
          ]
        : [],
    );
  return below(null, 0);
}
