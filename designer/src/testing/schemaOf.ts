import type { LiveSchema } from "@penstock/codegen/contract";

/** What a running binary says of itself: the parts that a test needs, `ads-server` where they name no binary. */
export const schemaOf = (parts: object): LiveSchema =>
  ({
    type: "schema",
    binary: "ads-server",
    pid: 1,
    services: [],
    calls: [],
    flows: [],
    pools: [],
    ...parts,
  }) as unknown as LiveSchema;

/** So many threads of a pool, none of which was asked to run anywhere. */
export const threadsOf = (count: number): object[] =>
  Array.from({ length: count }, (_, tid) => ({ name: "", tid, asked: [], actual: [] }));
