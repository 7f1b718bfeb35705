import type { LiveSample } from "@penstock/codegen/contract";

/** A sample of a binary, `t` milliseconds after its start, that has these rows alone. */
export const sampleOf = (t: number, rows: Partial<LiveSample> = {}): LiveSample => ({
  type: "sample",
  t,
  seq: t,
  services: [],
  implementations: [],
  calls: [],
  flows: [],
  stages: [],
  pools: [],
  threads: [],
  process: { cpuNs: 0, rssBytes: 0, threads: 1 },
  ...rows,
});
