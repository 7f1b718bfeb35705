import { quote } from "../../../diagnostics/index.js";
import { GREATEST_INT32 } from "../../../topology/index.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS511: {
    severity: "error",
    title: "Unknown implementation",
    explanation: "A placement picks among the implementations of its service.",
    help: "Correct the name, or add the implementation.",
  },
  PS512: {
    severity: "error",
    title: "Weight out of range",
    explanation: `Weights are whole numbers from 0 to ${GREATEST_INT32}.`,
    help: "Use a weight in that range.",
  },
  PS513: {
    severity: "error",
    title: "Weights add up to nothing",
    explanation: "With every weight 0 no implementation would ever run.",
    help: "Give at least one implementation a weight above 0.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/** A placement picks or weighs implementations that the service has; some weight is above 0. */
export const weightsAreSound = rule({
  name: "weightsAreSound",
  codes: CODES,
  check(context) {
    const { topology, index } = context;
    for (const [at, binary] of topology.binaries.entries())
      for (const [service, { implementation }] of Object.entries(binary.placement)) {
        const known = index.services.get(service)?.item.implementations;
        if (implementation === undefined || known === undefined) continue;
        const place = ["binaries", at, "placement", service, "implementation"];
        if (typeof implementation === "string") mustBeKnown(context, place, service, implementation, known);
        else checkWeights(context, place, service, implementation, known);
      }
  },
});

function checkWeights(
  context: Context,
  place: Place,
  service: string,
  weights: Readonly<Record<string, number>>,
  known: readonly string[],
): void {
  let sum = 0;
  for (const [name, weight] of Object.entries(weights)) {
    mustBeKnown(context, [...place, name], service, name, known);
    if (weight < 0 || weight > GREATEST_INT32)
      context.report(
        "PS512",
        [...place, name],
        `The weight of ${quote(name)} is ${weight}, not 0 to ${GREATEST_INT32}`,
      );
    sum += Math.max(0, weight);
  }
  if (sum === 0)
    context.report("PS513", place, `No implementation of ${quote(service)} has a weight above 0`);
}

function mustBeKnown(
  { report, didYouMean }: Context,
  place: Place,
  service: string,
  name: string,
  known: readonly string[],
): void {
  if (!known.includes(name))
    report("PS511", place, `${quote(service)} has no implementation ${quote(name)}`, didYouMean(name, known));
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS511",
    title: "a weight for no implementation",
    spoil: ({ binary }) =>
      void (binary.placement!["ProduceAd"] = { implementation: { ModelA: 1, ModelC: 1 } }),
    pointer: "/binaries/0/placement/ProduceAd/implementation/ModelC",
  },
  {
    code: "PS511",
    title: "the one implementation that is not there",
    spoil: ({ binary }) => void (binary.placement!["ProduceAd"] = { implementation: "Model" }),
    pointer: "/binaries/0/placement/ProduceAd/implementation",
  },
  {
    code: "PS512",
    title: "a weight below 0",
    spoil: ({ binary }) =>
      void (binary.placement!["ProduceAd"] = { implementation: { ModelA: -1, ModelB: 5 } }),
    pointer: "/binaries/0/placement/ProduceAd/implementation/ModelA",
  },
  {
    code: "PS513",
    title: "no weight at all",
    spoil: ({ binary }) => void (binary.placement!["ProduceAd"] = { implementation: { ModelA: 0 } }),
    pointer: "/binaries/0/placement/ProduceAd/implementation",
  },
];
