import type { TraceRow } from "@penstock/codegen/contract";

/** Where the bars of a row lie, shares of the whole time of the event; what ran is seen even when short. */
export function barsOf(row: TraceRow, totalUs: number): { wait: [number, number]; run: [number, number] } {
  const share = (us: number): number => (totalUs > 0 ? Math.max(0, Math.min(1, us / totalUs)) : 0);
  const least = 0.004;
  // What was not over when the event ended lasts until then.
  const waitUs = row.waitUs ?? Math.max(0, totalUs - row.atUs);
  const begun = row.thread !== "";
  const runUs = row.runUs ?? (begun ? Math.max(0, totalUs - row.atUs - waitUs) : 0);
  const from = Math.min(share(row.atUs + waitUs), 1 - least);
  // A call may end after its event: its bar does not.
  const within = (start: number, length: number): number => (start + length > 1.0001 ? 1 - start : length);
  const at = share(row.atUs);
  const ran = begun ? Math.max(least, share(runUs)) : 0;
  return { wait: [at, within(at, share(waitUs))], run: [from, within(from, ran)] };
}
