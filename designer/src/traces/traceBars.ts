import type { TraceRow } from "@penstock/codegen/protocol";

/** Where the bars of a row lie, shares of the whole time of the event; what ran is seen even when short. */
export function barsOf(row: TraceRow, totalUs: number): { wait: [number, number]; run: [number, number] } {
  const share = (us: number): number => (totalUs > 0 ? Math.max(0, Math.min(1, us / totalUs)) : 0);
  const least = 0.004;
  const from = Math.min(share(row.atUs + row.waitUs), 1 - least);
  return { wait: [share(row.atUs), share(row.waitUs)], run: [from, Math.max(least, share(row.runUs))] };
}
