import { quote } from "../../../diagnostics/index.js";
import {
  DEFAULT_POOL,
  isThreadRange,
  MOST_THREADS,
  threadCount,
  type Binary,
  type Placement,
  type Pool,
  type Topology,
} from "../../../topology/index.js";
import { isBundled, type Fix } from "../../rule/fix.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS506: {
    severity: "error",
    title: "Placement of an unknown service",
    explanation: "A placement names a service of this topology.",
    help: "Correct the name, or remove the placement.",
    fixes: removalFixes,
  },
  PS507: {
    severity: "error",
    title: "Placement of a service served elsewhere",
    explanation:
      "The binary does not serve the service (none of its bundles has it), so the placement would do nothing (a warning while no binary serves it).",
    help: "Add a bundle with the service to the binary, or remove the placement.",
    fixes: (topology, at) => [...servedHereFixes(topology, at), ...removalFixes(topology, at)],
  },
  PS508: {
    severity: "error",
    title: "Placement on an unknown pool",
    explanation: "A placement names a pool of its binary, or `default`.",
    help: "Correct the name, or add the pool.",
  },
  PS509: {
    severity: "error",
    title: "thread without pool",
    explanation: "`thread` counts the threads of a pool, so it needs `pool` beside it.",
    help: "Add `pool`.",
  },
  PS510: {
    severity: "error",
    title: "No such thread",
    explanation: "`thread` counts from 0 and stays below the number of threads of the pool.",
    help: "Use a thread the pool has, or add threads to it.",
  },
  PS522: {
    severity: "error",
    title: "Placement on a thread that comes and goes",
    explanation:
      "The threads of a pool with `from` and `to` come with the work and leave again, so no service lives on one of them.",
    help: "Leave `thread` out, or give the pool a number of threads.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/** A placement names a service that the binary serves, a pool of the binary and a thread of the pool. */
export const placementsResolve = rule({
  name: "placementsResolve",
  codes: CODES,
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
});

function checkPool(
  context: Context,
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
  if (pool !== undefined && isThreadRange(pool.threads)) {
    const message = `${quote(service)} is placed on thread ${thread} of ${quote(poolName)}, whose threads come and go`;
    report("PS522", [...place, "thread"], message);
    return;
  }
  // The built-in pool has a thread for each CPU of the machine it starts on: how many is not known here.
  const threads = pool === undefined ? MOST_THREADS : threadCount(pool.threads);
  if (thread >= 0 && thread < threads) return;
  const range = threads === 0 ? "which has none" : `which has 0 to ${threads - 1}`;
  report(
    "PS510",
    [...place, "thread"],
    `${quote(service)} is placed on thread ${thread} of ${quote(poolName)}, ${range}`,
  );
}

function removalFixes({ binaries }: Topology, [, at, , service = ""]: readonly string[]): Fix[] {
  const binary = binaries[Number(at)];
  if (binary === undefined || !Object.hasOwn(binary.placement, service)) return [];
  return [{ does: "remove placement", binary: binary.name, service }];
}

/** A service that is in no bundle goes into one of the binary that places it. */
function servedHereFixes(topology: Topology, [, at, , service = ""]: readonly string[]): Fix[] {
  const here = topology.binaries[Number(at)]?.bundles[0];
  const bundle = topology.bundles.find(({ name }) => name === here);
  if (bundle === undefined || isBundled(topology, service)) return [];
  return [{ does: "add to bundle", bundle: bundle.name, members: { services: [service], flows: [] } }];
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS506",
    title: "a placement of no service",
    spoil: ({ binary }) => void (binary.placement!["GetAds"] = {}),
    pointer: "/binaries/0/placement/GetAds",
    node: "binary:ads-server",
    help: 'Did you mean "GetAd"?',
  },
  {
    code: "PS507",
    title: "a placement of a service served elsewhere",
    spoil: ({ document }) => void document.binaries!.push({ name: "other", placement: { GetAd: {} } }),
    pointer: "/binaries/1/placement/GetAd",
  },
  {
    code: "PS507",
    title: "a placement of a service served nowhere",
    severity: "warning",
    spoil: ({ document, binary }) => {
      document.services!.push({ name: "Alone", request: "Ad" });
      binary.placement!["Alone"] = {};
    },
    pointer: "/binaries/0/placement/Alone",
  },
  {
    code: "PS508",
    title: "a placement on no pool",
    spoil: ({ binary }) => void (binary.placement!["GetAd"] = { pool: "frnt" }),
    pointer: "/binaries/0/placement/GetAd/pool",
    help: 'Did you mean "front"?',
  },
  {
    code: "PS509",
    title: "a thread of no pool",
    spoil: ({ binary }) => void (binary.placement!["GetAd"] = { thread: 0 }),
    pointer: "/binaries/0/placement/GetAd/thread",
  },
  {
    code: "PS510",
    title: "a thread the pool does not have",
    spoil: ({ binary }) => void (binary.placement!["GetAd"] = { pool: "front", thread: 1 }),
    pointer: "/binaries/0/placement/GetAd/thread",
  },
  {
    code: "PS522",
    title: "a thread of a pool with bounds",
    spoil: ({ binary, models }) => {
      models.threads = { from: 2, to: 8 };
      binary.placement!["ProduceAd"] = { pool: "models", thread: 0 };
    },
    pointer: "/binaries/0/placement/ProduceAd/thread",
    node: "binary:ads-server",
  },
];
