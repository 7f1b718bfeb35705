import { quote } from "../../../diagnostics/index.js";
import {
  FASTEST_RATE,
  isThreadRange,
  LONGEST_HOLD_S,
  stagesRunOn,
  type Binary,
  type Flow,
  type Preset,
  type PresetRule,
  type Stage,
  type Topology,
} from "../../../topology/index.js";
import type { Fix } from "../../rule/fix.js";
import { reachOf } from "../../rule/reach.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import { force, type BadExample } from "../../testing/badExample.js";

const CODES = {
  PS523: {
    severity: "error",
    title: "Rule of something that is not there",
    explanation: "A rule watches the rate of a flow or service that its binary runs.",
    help: "Watch one of the binary's, or remove the rule.",
    fixes: removalFix,
  },
  PS524: {
    severity: "error",
    title: "Rule with a preset that is not there",
    explanation: "A rule brings presets of its binary into force, by their names.",
    help: "Use a preset of the binary, save one of that name, or remove the rule.",
    fixes: removalFix,
  },
  PS525: {
    severity: "error",
    title: "Thresholds of a rule without room between them",
    explanation:
      "The rate of `below` is lower than that of `above`: what is between the two changes nothing, so that a load at the edge does not make the binary change again and again.",
    help: "Exchange the two, or move them apart.",
    fixes: exchangeFix,
  },
  PS526: {
    severity: "error",
    title: "Threshold or time of a rule out of range",
    explanation: `A threshold is a rate above 0 and at most ${FASTEST_RATE} a second; a rate has to hold for 1 to ${LONGEST_HOLD_S} whole seconds.`,
    help: "Use a number in that range.",
  },
  PS527: {
    severity: "error",
    title: "Preset that a rule cannot bring into force",
    explanation:
      "The running binary would refuse it: it sizes a pool whose threads come and go by themselves, takes away a thread that a service is placed on, or leaves a `sync-remote` stage on one thread.",
    help: "Change the preset, or use another one.",
    fixes: removalFix,
  },
  PS528: {
    severity: "error",
    title: "Two rules for the same",
    explanation:
      "Each flow or service is watched by one rule, and each pool and slot is in the presets of one rule: two would undo what the other has just done.",
    help: "Remove one of the two, or take what both have out of the presets of one.",
    fixes: removalFix,
  },
  PS529: {
    severity: "error",
    title: "Rule that changes nothing",
    explanation: "`below` and `above` of a rule name different presets.",
    help: "Use another preset on one side, or remove the rule.",
    fixes: removalFix,
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;
const SIDES = ["below", "above"] as const;

/**
 * Rules that bring presets into force watch what is there, have room between their thresholds, and their presets
 * can come into force while the binary runs, whatever the others do.
 */
export const presetRulesAreSound = rule({
  name: "presetRulesAreSound",
  codes: CODES,
  check(context) {
    const budget = { steps: MOST_STEPS };
    for (const [at, binary] of context.topology.binaries.entries()) {
      if (binary.rules === undefined || binary.rules.length === 0) continue;
      const ruled = new RuledBinary(context, binary, budget);
      for (const [inner, one] of binary.rules.entries()) {
        const place = ["binaries", at, "rules", inner];
        checkWatched(context, ruled, one, place);
        checkThresholds(context, one, place);
        checkPresets(context, ruled, one, place);
        checkAlone(context, ruled, one, place);
      }
    }
  },
});

/**
 * So many pools and stages are looked at, in one drawing, for what a preset would make of them. A drawing that asks for
 * more is nobody's work: what it has against the rest, the running binary says.
 */
const MOST_STEPS = 500_000;

/** A binary with rules, and what is looked up for each of them. */
class RuledBinary {
  /** The place of the rule that has a flow, service, preset, pool or slot. */
  readonly owners = new Map<string, string>();
  readonly presets: ReadonlyMap<string, Preset>;
  private readonly reasons = new Map<Preset, string | undefined>();
  private readonly moving: ReadonlySet<string>;
  /** The highest thread of each pool that a service is placed on. */
  private readonly placed = new Map<string, { service: string; thread: number }>();
  /** Its flows with a stage that blocks. */
  private readonly blocking: readonly Flow[];

  constructor(
    private readonly context: Context,
    readonly binary: Binary,
    private readonly budget: { steps: number },
  ) {
    const { topology, index } = context;
    this.presets = new Map((binary.presets ?? []).map((preset) => [preset.name, preset]));
    this.moving = new Set(
      binary.pools.filter(({ threads }) => isThreadRange(threads)).map(({ name }) => name),
    );
    for (const [service, { pool, thread }] of Object.entries(binary.placement))
      if (pool !== undefined && thread !== undefined && thread > (this.placed.get(pool)?.thread ?? -1))
        this.placed.set(pool, { service, thread });
    this.blocking = topology.flows.filter(
      ({ name, stages }) =>
        (index.binariesOfFlow.get(name) ?? []).includes(binary.name) &&
        stages.some((one) => this.blocks(one)),
    );
  }

  /** What the running binary would have against the preset. */
  whyNot(preset: Preset): string | undefined {
    if (!this.reasons.has(preset)) this.reasons.set(preset, this.pools(preset) ?? this.narrow(preset));
    return this.reasons.get(preset);
  }

  private pools({ pools }: Preset): string | undefined {
    for (const { name, threads } of pools) {
      if (this.moving.has(name)) return `the threads of ${quote(name)} come and go by themselves`;
      const placed = this.placed.get(name);
      if (placed && placed.thread >= threads.length)
        return `${quote(placed.service)} is placed on thread ${placed.thread} of ${quote(name)}`;
    }
    return undefined;
  }

  private narrow(preset: Preset): string | undefined {
    const narrows = preset.pools.some(({ threads }) => threads.length === 1);
    const joined = new Set(preset.joins.map(({ flow }) => flow));
    const touched = narrows ? this.blocking : this.blocking.filter(({ name }) => joined.has(name));
    this.budget.steps -= this.blocking.length + this.binary.pools.length;
    if (touched.length === 0 || this.budget.steps < 0) return undefined;
    const sizes = new Map(preset.pools.map(({ name, threads }) => [name, threads]));
    const arranged: Binary = {
      ...this.binary,
      pools: this.binary.pools.map((pool) => ({ ...pool, threads: sizes.get(pool.name) ?? pool.threads })),
    };
    for (const flow of touched) {
      this.budget.steps -= flow.stages.length;
      if (this.budget.steps < 0) return undefined;
      const wanted = withJoins(flow, preset);
      const narrow = stagesRunOn(arranged, wanted, this.isElsewhere).findIndex(
        ({ places, elsewhere }, inner) =>
          !elsewhere && this.blocks(wanted.stages[inner]) && places.some(({ threads }) => threads === 1),
      );
      const stage = wanted.stages[narrow]?.id;
      if (stage !== undefined)
        return `the sync-remote stage ${quote(stage)} of ${quote(flow.name)} would run on one thread`;
    }
    return undefined;
  }

  private readonly isElsewhere = (service: string): boolean =>
    reachOf(this.context.index, this.binary.name, service) === "there";

  private blocks(stage: Stage | undefined): boolean {
    return this.context.index.services.get(stage?.service ?? "")?.item.kind === "sync-remote";
  }
}

const textOf = ({ of }: PresetRule): string => `The rule of ${quote(of)}`;

function checkWatched(
  { index, report, didYouMean }: Context,
  { binary }: RuledBinary,
  one: PresetRule,
  place: Place,
) {
  const runs = (of: ReadonlyMap<string, readonly string[]>): boolean =>
    (of.get(one.of) ?? []).includes(binary.name);
  if (runs(index.binariesOfFlow) || runs(index.binariesOfService)) return;
  report(
    "PS523",
    [...place, "of"],
    `A rule of ${quote(binary.name)} watches ${quote(one.of)}, a flow or service that the binary does not run`,
    didYouMean(one.of, namesRunBy(index, binary.name)),
  );
}

/** Made as far as somebody asks. */
function* namesRunBy({ binariesOfFlow, binariesOfService }: Context["index"], binary: string) {
  for (const of of [binariesOfFlow, binariesOfService])
    for (const [name, binaries] of of) if (binaries.includes(binary)) yield name;
}

function checkThresholds({ report }: Context, one: PresetRule, place: Place): void {
  let sound = true;
  for (const side of SIDES) {
    const { perSecond } = one[side];
    if (perSecond > 0 && perSecond <= FASTEST_RATE) continue;
    sound = false;
    const message = `${textOf(one)} has the threshold ${perSecond} a second, not above 0 and at most ${FASTEST_RATE}`;
    report("PS526", [...place, side, "perSecond"], message);
  }
  const { below, above, forSeconds } = one;
  if (sound && below.perSecond >= above.perSecond)
    report(
      "PS525",
      [...place, "above", "perSecond"],
      `${textOf(one)} is for less than ${below.perSecond} and for more than ${above.perSecond} a second`,
    );
  if (forSeconds < 1 || forSeconds > LONGEST_HOLD_S)
    report(
      "PS526",
      [...place, "forSeconds"],
      `${textOf(one)} waits for ${forSeconds} seconds, not 1 to ${LONGEST_HOLD_S}`,
    );
}

function checkPresets(
  { report, didYouMean }: Context,
  ruled: RuledBinary,
  one: PresetRule,
  place: Place,
): void {
  const { binary, presets } = ruled;
  for (const side of SIDES) {
    const there = [...place, side, "preset"];
    const { preset: name } = one[side];
    const preset = presets.get(name);
    if (preset === undefined) {
      const message = `${textOf(one)} names ${quote(name)}, a preset that ${quote(binary.name)} does not have`;
      report("PS524", there, message, didYouMean(name, presets.keys()));
      continue;
    }
    const why = ruled.whyNot(preset);
    if (why !== undefined)
      report("PS527", there, `${textOf(one)} cannot bring ${quote(name)} into force: ${why}`);
  }
  if (one.below.preset === one.above.preset)
    report(
      "PS529",
      [...place, "above", "preset"],
      `${textOf(one)} names ${quote(one.above.preset)} on both sides`,
    );
}

/** The flow with the joins that a preset gives it. */
function withJoins(flow: Flow, { joins }: Preset): Flow {
  const slots = new Map(joins.filter((one) => one.flow === flow.name).map((one) => [one.stage, one]));
  const stages = flow.stages.map((stage) => {
    const slot = slots.get(stage.id);
    if (slot === undefined) return stage;
    const { join: _, ...rest } = stage;
    return slot.join === undefined ? rest : { ...rest, join: slot.join };
  });
  return { ...flow, stages };
}

/** No other rule watches the same, and none has a preset about the same pool or slot. */
function checkAlone(
  { report }: Context,
  { binary, presets, owners }: RuledBinary,
  one: PresetRule,
  place: Place,
): void {
  const here = place.join();
  /** Whether another rule has it; else it is this one's. */
  const isTaken = (key: string): boolean => {
    const owner = owners.get(key) ?? here;
    owners.set(key, owner);
    return owner !== here;
  };
  if (isTaken(`of ${one.of}`))
    report("PS528", [...place, "of"], `Two rules of ${quote(binary.name)} watch ${quote(one.of)}`);
  for (const side of SIDES) {
    const preset = presets.get(one[side].preset);
    if (preset === undefined) continue;
    // All that is in a preset is taken with it: each is looked through once.
    const whole = isTaken(`preset ${preset.name}`);
    const shared = whole
      ? thingsOf(preset).next().value
      : [...thingsOf(preset)].filter(({ key }) => isTaken(key))[0];
    if (shared !== undefined)
      report(
        "PS528",
        [...place, side, "preset"],
        `The presets of two rules of ${quote(binary.name)} have ${shared.text}`,
      );
  }
}

/** What a preset is about: pools, then slots. */
function* thingsOf({ pools, joins }: Preset) {
  for (const { name } of pools) yield { key: `pool ${name}`, text: `the pool ${quote(name)}` };
  for (const { flow, stage } of joins)
    yield { key: `slot ${flow}/${stage}`, text: `the join of ${quote(stage)}` };
}

const ruleAt = ({ binaries }: Topology, [, at, , inner]: readonly string[]) => {
  const binary = binaries[Number(at)];
  const found = binary?.rules?.[Number(inner)];
  return binary === undefined || found === undefined ? undefined : { binary: binary.name, at: Number(inner) };
};

function removalFix(topology: Topology, at: readonly string[]): Fix[] {
  const found = ruleAt(topology, at);
  return found === undefined ? [] : [{ does: "remove rule", ...found }];
}

function exchangeFix(topology: Topology, at: readonly string[]): Fix[] {
  const found = ruleAt(topology, at);
  const { below, above } = topology.binaries[Number(at[1])]?.rules?.[Number(at[3])] ?? {};
  // Equal ones stay without room.
  if (found === undefined || below?.perSecond === above?.perSecond) return [];
  return [{ does: "exchange thresholds", ...found }];
}

interface Spoilt {
  below?: number;
  above?: number;
  more?: object;
  calm?: object;
  busy?: object;
}

/** A binary with two presets and a rule between them, which an example then spoils. */
const ruled = (
  binary: object,
  of: string,
  { below = 1000, above = 5000, more = {}, calm = {}, busy = {} }: Spoilt = {},
): void =>
  force(binary, {
    presets: [
      { name: "calm", pools: [{ name: "models", threads: 3 }], ...calm },
      { name: "busy", pools: [{ name: "models", threads: 8 }], ...busy },
    ],
    rules: [
      {
        of,
        below: { perSecond: below, preset: "calm" },
        above: { perSecond: above, preset: "busy" },
        ...more,
      },
    ],
  });

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS523",
    title: "a rule of a flow that is not there",
    spoil: ({ binary }) => ruled(binary, "Impresions"),
    pointer: "/binaries/0/rules/0/of",
    help: "Impressions",
    node: "binary:ads-server",
  },
  {
    code: "PS524",
    title: "a rule with a preset that is not there",
    spoil: ({ binary }) =>
      ruled(binary, "Impressions", { more: { above: { perSecond: 5000, preset: "bussy" } } }),
    pointer: "/binaries/0/rules/0/above/preset",
    help: "busy",
    node: "binary:ads-server",
  },
  {
    code: "PS525",
    title: "thresholds the wrong way round",
    spoil: ({ binary }) => ruled(binary, "Impressions", { below: 5000, above: 1000 }),
    pointer: "/binaries/0/rules/0/above/perSecond",
  },
  {
    code: "PS525",
    title: "one threshold for both sides",
    spoil: ({ binary }) => ruled(binary, "GetAd", { below: 1000, above: 1000 }),
    pointer: "/binaries/0/rules/0/above/perSecond",
  },
  {
    code: "PS526",
    title: "a rate that nothing is below",
    spoil: ({ binary }) => ruled(binary, "Impressions", { below: 0 }),
    pointer: "/binaries/0/rules/0/below/perSecond",
  },
  {
    code: "PS526",
    title: "a rate that nothing is above",
    spoil: ({ binary }) => ruled(binary, "Impressions", { above: 2e9 }),
    pointer: "/binaries/0/rules/0/above/perSecond",
  },
  {
    code: "PS526",
    title: "a rule that waits for no second",
    spoil: ({ binary }) => ruled(binary, "Impressions", { more: { forSeconds: 0 } }),
    pointer: "/binaries/0/rules/0/forSeconds",
  },
  {
    code: "PS527",
    title: "a preset of a pool whose threads come and go",
    spoil: ({ binary, models }) => {
      models.threads = { from: 2, to: 8 };
      ruled(binary, "Impressions", { busy: { pools: [] } });
    },
    pointer: "/binaries/0/rules/0/below/preset",
  },
  {
    code: "PS527",
    title: "a preset that takes the thread of a service away",
    spoil: ({ binary }) => {
      binary.placement!["ProduceAd"] = { pool: "models", thread: 2 };
      ruled(binary, "Impressions", { calm: { pools: [{ name: "models", threads: 2 }] } });
    },
    pointer: "/binaries/0/rules/0/below/preset",
  },
  {
    code: "PS527",
    title: "a preset that leaves a blocking stage on one thread",
    spoil: ({ binary, getAd, front }) => {
      getAd.kind = "sync-remote";
      front.threads = 2;
      ruled(binary, "Impressions", { calm: { pools: [{ name: "front", threads: 1 }] } });
    },
    pointer: "/binaries/0/rules/0/below/preset",
  },
  {
    code: "PS528",
    title: "two rules of one flow",
    spoil: ({ binary }) => {
      ruled(binary, "Impressions");
      const rules = binary.rules!;
      rules.push({ ...rules[0]! });
      binary.presets!.push({ name: "still" }, { name: "quick" });
      rules[1]!.below = { perSecond: 10, preset: "still" };
      rules[1]!.above = { perSecond: 50, preset: "quick" };
    },
    pointer: "/binaries/0/rules/1/of",
  },
  {
    code: "PS528",
    title: "two rules of one pool",
    spoil: ({ binary }) => {
      ruled(binary, "Impressions");
      binary.presets!.push({ name: "still" });
      binary.rules!.push({
        of: "GetAd",
        below: { perSecond: 10, preset: "still" },
        above: { perSecond: 50, preset: "busy" },
      });
    },
    pointer: "/binaries/0/rules/1/above/preset",
  },
  {
    code: "PS529",
    title: "one preset on both sides",
    spoil: ({ binary }) =>
      ruled(binary, "Impressions", { more: { above: { perSecond: 5000, preset: "calm" } } }),
    pointer: "/binaries/0/rules/0/above/preset",
  },
];
