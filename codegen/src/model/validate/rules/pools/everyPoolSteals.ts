import { quote } from "../../../diagnostics/index.js";
import type { Topology } from "../../../topology/index.js";
import type { Fix } from "../../rule/fix.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS530: {
    severity: "warning",
    title: "steal says nothing any more",
    explanation:
      "Idle threads of every pool take what waits for busy ones. `steal` had to be drawn for that once, and has no effect now.",
    help: "Remove `steal`.",
    fixes: removalFixes,
  },
} satisfies Codes;

/** Nobody is left to believe that a pool steals because it is drawn so, or does not. */
export const everyPoolSteals = rule({
  name: "everyPoolSteals",
  codes: CODES,
  check({ topology, report }) {
    for (const [at, binary] of topology.binaries.entries())
      for (const [inner, { name, steal }] of binary.pools.entries())
        if (steal !== undefined)
          report(
            "PS530",
            ["binaries", at, "pools", inner, "steal"],
            `The pool ${quote(name)} of ${quote(binary.name)} has steal, which has no effect`,
          );
  },
});

function removalFixes({ binaries }: Topology, [, at, , inner]: readonly string[]): Fix[] {
  const binary = binaries[Number(at)];
  const pool = binary?.pools[Number(inner)];
  if (binary === undefined || pool?.steal === undefined) return [];
  return [{ does: "remove steal", binary: binary.name, pool: pool.name }];
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS530",
    title: "a pool that was to steal",
    spoil: ({ models }) => void (models.steal = true),
    pointer: "/binaries/0/pools/1/steal",
    node: "pool:ads-server/models",
    severity: "warning",
  },
  {
    code: "PS530",
    title: "a pool that was not to steal",
    spoil: ({ front }) => void (front.steal = false),
    pointer: "/binaries/0/pools/0/steal",
    severity: "warning",
  },
];
