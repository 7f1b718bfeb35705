import { quote } from "../../../diagnostics/index.js";
import { DEFAULT_POOL, type Binary, type Join } from "../../../topology/index.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import { checkJoin, checkPool, POOL_CODES } from "./poolsAreInRange.js";
import { force, type BadExample } from "../../testing/badExample.js";

const CODES = {
  PS518: {
    severity: "warning",
    title: "Preset of something that is not there",
    explanation:
      "A preset names a pool, flow or stage that its binary does not have; it is left out when applied.",
    help: "Save the preset again, or remove it.",
  },
  ...POOL_CODES,
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/**
 * Pools and joins of a preset are in range. What a preset names and its binary does not have (any more)
 * is left out when it is applied: a warning.
 */
export const presetsResolve = rule({
  name: "presetsResolve",
  codes: CODES,
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
});

function checkKnownPool(
  { report, didYouMean }: Context,
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
  { index, report, didYouMean }: Context,
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
  context: Context,
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

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS518",
    title: "a preset of a pool that is not there",
    spoil: ({ binary }) =>
      force(binary, { presets: [{ name: "night", pools: [{ name: "fornt", threads: [{}] }] }] }),
    pointer: "/binaries/0/presets/0/pools/0/name",
    severity: "warning",
    help: "front",
    node: "binary:ads-server",
  },
  {
    code: "PS518",
    title: "a preset of a stage that is not there",
    spoil: ({ binary }) =>
      force(binary, { presets: [{ name: "night", joins: [{ flow: "Impressions", stage: "pik" }] }] }),
    pointer: "/binaries/0/presets/0/joins/0/stage",
    severity: "warning",
    help: "pick",
  },
  {
    code: "PS501",
    title: "a preset that takes every thread away",
    spoil: ({ binary }) => force(binary, { presets: [{ name: "night", pools: [{ name: "front" }] }] }),
    pointer: "/binaries/0/presets/0/pools/0",
  },
  {
    code: "PS502",
    title: "a preset with a join that queues nothing",
    spoil: ({ binary }) =>
      force(binary, {
        presets: [
          { name: "night", joins: [{ flow: "Impressions", stage: "log", join: { threads: 2, queue: 0 } }] },
        ],
      }),
    pointer: "/binaries/0/presets/0/joins/0/join/queue",
  },
];
