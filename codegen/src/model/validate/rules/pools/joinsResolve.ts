import { quote } from "../../../diagnostics/index.js";
import { binariesOfStage, DEFAULT_POOL } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS514: {
    severity: "error",
    title: "Join on an unknown pool",
    explanation:
      "A join names a pool of every binary that serves its flow, or `default`; that of a stage which another binary runs names a pool of that one.",
    help: "Correct the name, or add the pool to the binary.",
  },
} satisfies Codes;

/**
 * A join names a pool that every binary running its stage has. Of a flow that no binary serves yet, one
 * that no binary at all has: a warning while drawing.
 */
export const joinsResolve = rule({
  name: "joinsResolve",
  codes: CODES,
  check({ topology, index, report, didYouMean }) {
    const pools = new Map(
      topology.binaries.map(({ name, pools: own }) => [
        name,
        new Set([DEFAULT_POOL, ...own.map((pool) => pool.name)]),
      ]),
    );
    const anywhere = new Set([DEFAULT_POOL, ...[...pools.values()].flatMap((own) => [...own])]);
    for (const [at, flow] of topology.flows.entries()) {
      for (const [inner, { id, join, service }] of flow.stages.entries()) {
        if (join === undefined || !("pool" in join)) continue;
        const serving = binariesOfStage(index, flow.name, service);
        const place = ["flows", at, "stages", inner, "join", "pool"];
        const owner = `The join of ${quote(id)} in ${quote(flow.name)}`;
        for (const binary of serving) {
          const known = pools.get(binary) ?? anywhere;
          if (!known.has(join.pool))
            report(
              "PS514",
              place,
              `${owner} names ${quote(join.pool)}, a pool that ${quote(binary)} does not have`,
              didYouMean(join.pool, known),
            );
        }
        if (serving.length === 0 && !anywhere.has(join.pool))
          report("PS514", place, `${owner} names ${quote(join.pool)}, a pool that no binary has`, {
            ...didYouMean(join.pool, anywhere),
            severity: "warning",
          });
      }
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS514",
    title: "a join on no pool",
    spoil: ({ pick }) => void (pick.join = { pool: "frnt" }),
    pointer: "/flows/0/stages/0/join/pool",
    node: "stage:Impressions/pick",
    help: 'Did you mean "front"?',
  },
  {
    code: "PS514",
    title: "a join on a pool of the flow's binary, of a stage that another one runs",
    spoil: ({ bundle, document, flow }) => {
      bundle.services = ["GetAd", "ProduceAd", "CountError"];
      document.bundles!.push({ name: "Logs", services: ["LogAd"] });
      document.binaries!.push({ name: "logs", bundles: ["Logs"], pools: [{ name: "frond", threads: [{}] }] });
      flow.stages![1]!.join = { pool: "front" };
    },
    pointer: "/flows/0/stages/1/join/pool",
    help: 'Did you mean "frond"?',
  },
  {
    code: "PS514",
    title: "a join on no pool while drawing",
    severity: "warning",
    spoil: ({ pick, bundle }) => {
      pick.join = { pool: "frnt" };
      bundle.flows = [];
    },
    pointer: "/flows/0/stages/0/join/pool",
  },
];
