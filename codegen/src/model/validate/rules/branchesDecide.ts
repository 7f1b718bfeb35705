import { quote, quoteList } from "../../diagnostics/index.js";
import {
  decidingField,
  flowValues,
  predecessorsOf,
  type Flow,
  type StageValues,
} from "../../topology/index.js";
import type { Rule, RuleContext } from "../rule.js";

/**
 * `when` names values of the only enum field of what the stage before gives; a value that no branch
 * takes ends the event, which is worth a warning.
 */
export const branchesDecide: Rule = {
  name: "branchesDecide",
  codes: ["PS414", "PS415", "PS416", "PS613"],
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
};

const valuesOf = (when: string | readonly string[] | undefined): readonly string[] =>
  typeof when === "string" ? [when] : (when ?? []);

/** Names of the values of the enum that decides behind a message; undefined when nothing there decides. */
type Choices = (message: string) => ReadonlySet<string> | undefined;

function choicesOf({ index }: RuleContext): Choices {
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
  context: RuleContext,
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
  context: RuleContext,
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
