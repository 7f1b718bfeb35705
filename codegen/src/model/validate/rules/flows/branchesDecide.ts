import { quote, quoteList } from "../../../diagnostics/index.js";
import {
  decidingField,
  flowValues,
  predecessorsOf,
  type Flow,
  type StageValues,
} from "../../../topology/index.js";
import { rule, type Codes, type RuleContext } from "../../rule/rule.js";
import { NAMED_TWICE } from "../binaries/index.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS414: {
    severity: "error",
    title: "when without a deciding value",
    explanation:
      "`when` looks at the only enum field (not repeated) of what the stage before gives; there is no such stage, no such field, or more than one.",
    help: "Give that message exactly one enum field, or remove `when`.",
  },
  PS415: {
    severity: "error",
    title: "when names an unknown value",
    explanation: "`when` is a value, or a list of values, of the enum that decides.",
    help: "Use a value of that enum.",
  },
  PS416: {
    severity: "warning",
    title: "Value without a branch",
    explanation: "Events for which no branch has a `when` end there.",
    help: "Add a branch for the value, or a stage without `when`.",
  },
  PS613: NAMED_TWICE,
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/**
 * `when` names values of the only enum field of what the stage before gives; a value that no branch
 * takes ends the event, which is worth a warning.
 */
export const branchesDecide = rule({
  name: "branchesDecide",
  codes: CODES,
  check(context) {
    for (const [at, flow] of context.topology.flows.entries()) {
      if (flow.stages.every(({ when }) => when === undefined)) continue;
      const values = flowValues(flow, context.index);
      const before = predecessorsOf(flow);
      const choices = choicesOf(context);
      const takers = flow.stages.map((): number[] => []);
      before.forEach((from, inner) => from.forEach((previous) => takers[previous]?.push(inner)));
      flow.stages.forEach((_, inner) =>
        checkWhen(context, choices, at, flow, inner, before[inner] ?? [], values),
      );
      flow.stages.forEach((_, inner) =>
        checkCovered(context, choices, at, flow, inner, takers[inner] ?? [], values),
      );
    }
  },
});

const valuesOf = (when: string | readonly string[] | undefined): readonly string[] =>
  typeof when === "string" ? [when] : (when ?? []);

/** Names of the values of the enum that decides behind a message; undefined when nothing there decides. */
type Choices = (message: string) => ReadonlySet<string> | undefined;

function choicesOf({ index }: Context): Choices {
  const known = new Map<string, ReadonlySet<string> | undefined>();
  return (message) => {
    if (!known.has(message)) {
      const field = decidingField(index, message);
      const values = field && index.enums.get(field.type)?.item.values;
      known.set(message, values && new Set(values.map(({ name }) => name)));
    }
    return known.get(message);
  };
}

function checkWhen(
  context: Context,
  choices: Choices,
  at: number,
  flow: Flow,
  inner: number,
  before: readonly number[],
  values: readonly StageValues[],
): void {
  const stage = flow.stages[inner];
  if (stage?.when === undefined) return;
  const place = ["flows", at, "stages", inner, "when"];
  const owner = `The stage ${quote(stage.id)} of ${quote(flow.name)}`;
  const named = valuesOf(stage.when);
  if (before.length === 0) {
    context.report("PS414", place, `${owner} has "when" but no stage before it to decide`);
    return;
  }
  if (named.length === 0) context.report("PS415", place, `${owner} is taken for no value`);
  for (const from of before) {
    const value = values[from]?.output;
    if (value === undefined) continue;
    const known = choices(value);
    if (known === undefined) {
      context.report(
        "PS414",
        place,
        `${owner} has "when", but ${quote(value)} has not exactly one enum field`,
      );
      continue;
    }
    named.forEach((name, position) => {
      const here = typeof stage.when === "string" ? place : [...place, position];
      if (!known.has(name)) {
        const message = `${owner} is taken for ${quote(name)}, which is no value of what ${quote(value)} decides by`;
        context.report("PS415", here, message, context.didYouMean(name, known));
      } else if (named.indexOf(name) !== position)
        context.report("PS613", here, `${owner} names the value ${quote(name)} twice`);
    });
  }
}

function checkCovered(
  context: Context,
  choices: Choices,
  at: number,
  flow: Flow,
  inner: number,
  takenBy: readonly number[],
  values: readonly StageValues[],
): void {
  const takers = takenBy.flatMap((taker) => flow.stages[taker] ?? []);
  const value = values[inner]?.output;
  if (takers.length === 0 || value === undefined || takers.some(({ when }) => when === undefined)) return;
  const taken = new Set(takers.flatMap(({ when }) => valuesOf(when)));
  const left = [...(choices(value) ?? [])].filter((name) => !taken.has(name));
  if (left.length === 0) return;
  const message = `Behind ${quote(flow.stages[inner]?.id ?? "")} of ${quote(flow.name)} no branch takes ${quoteList(left)}: such events end there`;
  context.report("PS416", ["flows", at, "stages", inner], message);
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS414",
    title: "a choice at the source",
    spoil: ({ pick }) => void (pick.when = "FREE"),
    pointer: "/flows/0/stages/0/when",
  },
  {
    code: "PS414",
    title: "a choice by two fields",
    spoil: ({ log, ad }) => {
      log.when = ["FREE", "PAID"];
      ad.fields!.push({ name: "other", type: "Tier", tag: 9 });
    },
    pointer: "/flows/0/stages/1/when",
  },
  {
    code: "PS415",
    title: "a choice of no value",
    spoil: ({ log }) => void (log.when = ["FREE", "PAYED"]),
    pointer: "/flows/0/stages/1/when/1",
    help: 'Did you mean "PAID"?',
  },
  {
    code: "PS416",
    title: "a value without a branch",
    severity: "warning",
    spoil: ({ log }) => void (log.when = "FREE"),
    pointer: "/flows/0/stages/0",
  },
  {
    code: "PS613",
    title: "a value twice in a choice",
    spoil: ({ log }) => void (log.when = ["FREE", "PAID", "FREE"]),
    pointer: "/flows/0/stages/1/when/2",
  },
];
