import {
  sampledEvents,
  traceRows,
  type EventTrace,
  type LiveSample,
  type LiveSchema,
  type TraceRow,
} from "@penstock/codegen/contract";
import { createStore } from "zustand/vanilla";

/** One sampled event and its way through its flow. */
export interface KeptTrace {
  /** Names the event: a sample may say it again. */
  key: string;
  flow: string;
  atMs: number;
  totalUs: number;
  outcome: EventTrace[3];
  rows: TraceRow[];
}

/** How many events of a flow are kept. */
const KEPT = 24;

export interface TraceState {
  /** By flow, the newest first. */
  byFlow: ReadonlyMap<string, readonly KeptTrace[]>;
  /** The event that is looked at; null: always the newest. */
  pinned: KeptTrace | null;
}

export const traceStore = createStore<TraceState>(() => ({ byFlow: new Map(), pinned: null }));

const isOver = ({ waitUs, runUs }: TraceRow): boolean => waitUs !== null && runUs !== null;

/**
 * Takes the events that a sample follows; those it has said before are left out. `nowMs` is the wall clock when it
 * came: the clock of `t` stands still while the machine sleeps, so that the start of the process is no place to
 * count from.
 */
export function takeTraces(schema: LiveSchema, sample: LiveSample, nowMs: number): void {
  const events = sampledEvents(sample);
  if (events.length === 0) return;
  const byFlow = new Map(traceStore.getState().byFlow);
  let { pinned } = traceStore.getState();
  let news = false;
  for (const { flow: flowId, startedMs, totalUs, outcome, trace } of events) {
    const flow = schema.flows.find(({ id }) => id === flowId);
    if (!flow) continue;
    const key = `${schema.pid}/${flowId}/${startedMs}`;
    const before = byFlow.get(flow.name) ?? [];
    const said = before.find((one) => one.key === key);
    // Calls may end after their event: what was told of them then was not all.
    if (said && said.rows.every(isOver)) continue;
    const atMs = said?.atMs ?? nowMs - (sample.t - startedMs);
    const kept = { key, flow: flow.name, atMs, totalUs, outcome, rows: traceRows(schema, trace) };
    if (said?.rows.filter(isOver).length === kept.rows.filter(isOver).length) continue;
    const known = said ? before.map((one) => (one === said ? kept : one)) : [kept, ...before];
    byFlow.set(flow.name, known.slice(0, KEPT));
    if (said && said === pinned) pinned = kept;
    news = true;
  }
  if (news) traceStore.setState({ byFlow, pinned });
}

export const pinTrace = (pinned: KeptTrace | null): void => traceStore.setState({ pinned });
export const dropTraces = (): void => traceStore.setState({ byFlow: new Map(), pinned: null });
