import { quote } from "../../diagnostics/index.js";
import { snakeCase } from "../../topology/index.js";
import { nameScopes, placeOf, type NamedThing } from "../names/namedThings.js";
import type { NameKind } from "../names/patterns.js";
import type { Rule, RuleContext } from "../rule.js";

/**
 * Names differ within their scope (messages, enums, services and flows share one), also when compared
 * without case and as the files, C++ names, protobuf and JSON names they become.
 */
export const namesAreUnique: Rule = {
  name: "namesAreUnique",
  codes: ["PS206", "PS207", "PS208"],
  check(context) {
    for (const scope of nameScopes(context.topology)) {
      if (scope.length < 2) continue;
      const seen = new Map<string, NamedThing>();
      for (const thing of scope) {
        const forms = formsOf(thing.kind, thing.name);
        const met = forms.map((form) => seen.get(form)).find((other) => other !== undefined);
        if (met !== undefined) reportMeeting(context, thing, met);
        for (const form of forms) if (!seen.has(form)) seen.set(form, thing);
      }
    }
  },
};

function reportMeeting({ report }: RuleContext, thing: NamedThing, met: NamedThing): void {
  const { kind, name } = thing;
  if (met.name !== name) {
    const shared = formsOf(kind, name).find((form) => formsOf(met.kind, met.name).includes(form)) ?? "";
    const message = `The ${kind} ${quote(name)} and the ${met.kind} ${quote(met.name)} become the same name (${quote(shared)})`;
    report("PS207", placeOf(thing), message);
  } else if (met.kind === kind) report("PS206", placeOf(thing), `A second ${kind} is named ${quote(name)}`);
  else report("PS208", placeOf(thing), `The ${kind} ${quote(name)} has the name of ${article(met.kind)}`);
}

const article = (kind: string): string => `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;

/**
 * What a name becomes, as far as two of its scope can meet there. Names without underscores that meet in
 * snake case differ in case only; protobuf compares fields and enum values without underscores as well.
 */
function formsOf(kind: NameKind, name: string): string[] {
  const lower = name.toLowerCase();
  switch (kind) {
    case "field":
    case "enum value":
      return [lower.replaceAll("_", "")];
    case "binary":
      return [lower.replaceAll("-", "_")];
    case "stage":
    case "pool": {
      const snake = snakeCase(name);
      return snake === lower ? [lower] : [lower, snake];
    }
    default:
      return [lower];
  }
}
