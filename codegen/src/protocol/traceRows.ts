import type { EventTrace, LiveSchema } from "./live.js";

/** What one stage did with the event. */
export interface TraceRow {
  stage: string;
  service: string;
  /** Thread as in `front·0`. */
  thread: string;
  /** Microseconds since the event was emitted, in the queue, in the handler. */
  atUs: number;
  waitUs: number;
  runUs: number;
  failed: boolean;
}

/** The steps of an event by name, in the order in which it came to the stages. */
export function traceRows(schema: LiveSchema, [flowId, , , , steps]: EventTrace): TraceRow[] {
  const flow = schema.flows.find(({ id }) => id === flowId);
  const services = new Map(schema.services.map(({ id, name }) => [id, name]));
  const pools = new Map(schema.pools.map(({ id, name }) => [id, name]));
  return steps
    .map(([index, pool, thread, atUs, waitUs, runUs, failed]): TraceRow => {
      const stage = flow?.stages[index];
      return {
        stage: stage?.id ?? String(index),
        service: services.get(stage?.service ?? -1) ?? "",
        thread: `${pools.get(pool) ?? "?"}·${thread}`,
        atUs,
        waitUs,
        runUs,
        failed: failed === 1,
      };
    })
    .toSorted((a, b) => a.atUs - b.atUs);
}
