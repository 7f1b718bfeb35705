import { quote } from "../../diagnostics/index.js";
import { DEFAULT_POOL, type Binary, type Placement, type Pool } from "../../topology/index.js";
import type { Place, Rule, RuleContext } from "../rule.js";

const LAST_THREAD = 1023;

/** A placement names a service that the binary serves, a pool of the binary and a thread of the pool. */
export const placementsResolve: Rule = {
  name: "placementsResolve",
  codes: ["PS506", "PS507", "PS508", "PS509", "PS510"],
  check(context) {
    const { topology, index, report, didYouMean } = context;
    for (const [at, binary] of topology.binaries.entries()) {
      const pools = new Map(binary.pools.map((pool) => [pool.name, pool]));
      for (const [service, placement] of Object.entries(binary.placement)) {
        const place = ["binaries", at, "placement", service];
        if (!index.services.has(service))
          report(
            "PS506",
            place,
            `${quote(binary.name)} places ${quote(service)}, which does not exist`,
            didYouMean(service, index.services.keys()),
          );
        else if (!index.binariesOfService.get(service)?.includes(binary.name))
          report(
            "PS507",
            place,
            `${quote(binary.name)} places ${quote(service)}, which it does not serve`,
            // Served nowhere: it is on its way from one bundle to another, perhaps.
            index.binariesOfService.has(service) ? {} : { severity: "warning" },
          );
        checkPool(context, place, binary, pools, service, placement);
      }
    }
  },
};

function checkPool(
  context: RuleContext,
  place: Place,
  binary: Binary,
  pools: ReadonlyMap<string, Pool>,
  service: string,
  placement: Placement,
): void {
  const { report, didYouMean } = context;
  const { pool: poolName, thread } = placement;
  if (poolName === undefined) {
    if (thread !== undefined)
      report("PS509", [...place, "thread"], `${quote(service)} is placed on thread ${thread} of no pool`);
    return;
  }
  const pool = pools.get(poolName);
  if (pool === undefined && poolName !== DEFAULT_POOL) {
    const details = didYouMean(poolName, [DEFAULT_POOL, ...pools.keys()]);
    const message = `${quote(service)} is placed on ${quote(poolName)}, a pool that ${quote(binary.name)} does not have`;
    report("PS508", [...place, "pool"], message, details);
    return;
  }
  if (thread === undefined) return;
  // The built-in pool has a thread for each CPU of the machine it starts on: how many is not known here.
  const threads = pool?.threads.length ?? LAST_THREAD + 1;
  if (thread >= 0 && thread < threads) return;
  const range = threads === 0 ? "which has none" : `which has 0 to ${threads - 1}`;
  report(
    "PS510",
    [...place, "thread"],
    `${quote(service)} is placed on thread ${thread} of ${quote(poolName)}, ${range}`,
  );
}
