/** What a binary says of itself that has nothing drawn in it. */
export const EMPTY_SCHEMA = {
  type: "schema" as const,
  version: 1 as const,
  project: "p",
  binary: "b",
  topologyHash: "",
  runtime: "",
  pid: 1,
  startedAtMs: 0,
  intervalMs: 100,
  sampling: 3,
  services: [],
  calls: [],
  flows: [],
  pools: [],
};

/** The rows of its samples. */
export const EMPTY_ROWS = {
  services: [],
  implementations: [],
  calls: [],
  flows: [],
  stages: [],
  pools: [],
  threads: [],
};
