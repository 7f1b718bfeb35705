import { quote } from "../../diagnostics/index.js";
import { DEFAULT_POOL, type Binary, type Join } from "../../topology/index.js";
import type { Place, Rule, RuleContext } from "../rule.js";
import { checkJoin, checkPool } from "./poolsAreInRange.js";

/**
 * Pools and joins of a preset are in range. What a preset names and its binary does not have (any more)
 * is left out when it is applied: a warning.
 */
export const presetsResolve: Rule = {
  name: "presetsResolve",
  codes: ["PS518", "PS501", "PS502", "PS504", "PS505"],
  check(context) {
    for (const [at, binary] of context.topology.binaries.entries())
      for (const [inner, preset] of (binary.presets ?? []).entries()) {
        const place = ["binaries", at, "presets", inner];
        const owner = `The preset ${quote(preset.name)} of ${quote(binary.name)}`;
        for (const [index, pool] of preset.pools.entries()) {
          const there = [...place, "pools", index];
          checkKnownPool(context, binary, pool.name, [...there, "name"], owner);
          checkPool(context, there, `The pool ${quote(pool.name)} of the preset ${quote(preset.name)}`, pool);
        }
        for (const [index, slot] of preset.joins.entries()) {
          const there = [...place, "joins", index];
          checkSlot(context, binary, slot, there, owner);
          checkJoinOf(context, binary, slot.join, [...there, "join"], owner, slot.stage);
        }
      }
  },
};

function checkKnownPool(
  { report, didYouMean }: RuleContext,
  binary: Binary,
  name: string,
  place: Place,
  owner: string,
): void {
  const known = [DEFAULT_POOL, ...binary.pools.map((pool) => pool.name)];
  if (!known.includes(name))
    report(
      "PS518",
      place,
      `${owner} names ${quote(name)}, a pool that the binary does not have`,
      didYouMean(name, known),
    );
}

function checkSlot(
  { index, report, didYouMean }: RuleContext,
  binary: Binary,
  { flow, stage }: { flow: string; stage: string },
  place: Place,
  owner: string,
): void {
  if (!(index.binariesOfFlow.get(flow) ?? []).includes(binary.name)) {
    report("PS518", [...place, "flow"], `${owner} names ${quote(flow)}, a flow that the binary does not run`);
    return;
  }
  const stages = index.flows.get(flow)?.item.stages.map(({ id }) => id) ?? [];
  if (!stages.includes(stage))
    report(
      "PS518",
      [...place, "stage"],
      `${owner} names ${quote(stage)}, a stage that ${quote(flow)} does not have`,
      didYouMean(stage, stages),
    );
}

function checkJoinOf(
  context: RuleContext,
  binary: Binary,
  join: Join | undefined,
  place: Place,
  owner: string,
  stage: string,
): void {
  if (join === undefined) return;
  if ("pool" in join) checkKnownPool(context, binary, join.pool, [...place, "pool"], owner);
  else
    checkJoin(
      context,
      place,
      `The join of ${quote(stage)} in ${owner.charAt(0).toLowerCase()}${owner.slice(1)}`,
      join,
    );
}
