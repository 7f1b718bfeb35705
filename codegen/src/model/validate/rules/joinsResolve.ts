import { quote } from "../../diagnostics/index.js";
import { DEFAULT_POOL } from "../../topology/index.js";
import type { Rule } from "../rule.js";

/**
 * A join names a pool that every binary serving its flow has. Of a flow that no binary serves yet, one
 * that no binary at all has: a warning while drawing.
 */
export const joinsResolve: Rule = {
  name: "joinsResolve",
  codes: ["PS514"],
  check({ topology, index, report, didYouMean }) {
    const pools = new Map(
      topology.binaries.map(({ name, pools: own }) => [
        name,
        new Set([DEFAULT_POOL, ...own.map((pool) => pool.name)]),
      ]),
    );
    const anywhere = new Set([DEFAULT_POOL, ...[...pools.values()].flatMap((own) => [...own])]);
    for (const [at, flow] of topology.flows.entries()) {
      const serving = index.binariesOfFlow.get(flow.name) ?? [];
      for (const [inner, { id, join }] of flow.stages.entries()) {
        if (join === undefined || !("pool" in join)) continue;
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
};
