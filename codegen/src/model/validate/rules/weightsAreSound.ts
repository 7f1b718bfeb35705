import { quote } from "../../diagnostics/index.js";
import type { Place, Rule, RuleContext } from "../rule.js";

const HEAVIEST = 2 ** 31 - 1;

/** A placement picks or weighs implementations that the service has; some weight is above 0. */
export const weightsAreSound: Rule = {
  name: "weightsAreSound",
  codes: ["PS511", "PS512", "PS513"],
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
};

function checkWeights(
  context: RuleContext,
  place: Place,
  service: string,
  weights: Readonly<Record<string, number>>,
  known: readonly string[],
): void {
  let sum = 0;
  for (const [name, weight] of Object.entries(weights)) {
    mustBeKnown(context, [...place, name], service, name, known);
    if (weight < 0 || weight > HEAVIEST)
      context.report(
        "PS512",
        [...place, name],
        `The weight of ${quote(name)} is ${weight}, not 0 to ${HEAVIEST}`,
      );
    sum += Math.max(0, weight);
  }
  if (sum === 0)
    context.report("PS513", place, `No implementation of ${quote(service)} has a weight above 0`);
}

function mustBeKnown(
  { report, didYouMean }: RuleContext,
  place: Place,
  service: string,
  name: string,
  known: readonly string[],
): void {
  if (!known.includes(name))
    report("PS511", place, `${quote(service)} has no implementation ${quote(name)}`, didYouMean(name, known));
}
