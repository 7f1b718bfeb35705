import { quote, type CatalogueEntry } from "../../../diagnostics/index.js";
import { snakeCase } from "../../../topology/index.js";
import { nameScopes, placeOf, type NamedThing } from "../../names/namedThings.js";
import type { NameKind } from "../../names/patterns.js";
import { rule, type Codes, type RuleContext } from "../../rule/rule.js";
import { force, type BadExample } from "../../testing/badExample.js";

/** Of enums' values, too, whose names stand side by side in the `.proto`. */
export const NAMES_COLLIDE = {
  severity: "error",
  title: "Names that collide",
  explanation: "Two names differ only in case or become one and the same file, C++, JSON or protobuf name.",
  help: "Rename one of the two.",
} as const satisfies CatalogueEntry;

const CODES = {
  PS206: {
    severity: "error",
    title: "Name used twice",
    explanation: "Names are unique within their list.",
    help: "Rename one of the two.",
  },
  PS207: NAMES_COLLIDE,
  PS208: {
    severity: "error",
    title: "Name taken by another kind of thing",
    explanation:
      "Messages, enums, services and flows share one C++ namespace, so a name belongs to one of them.",
    help: "Rename one of the two.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/**
 * Names differ within their scope (messages, enums, services and flows share one), also when compared
 * without case and as the files, C++ names, protobuf and JSON names they become.
 */
export const namesAreUnique = rule({
  name: "namesAreUnique",
  codes: CODES,
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
});

function reportMeeting({ report }: Context, thing: NamedThing, met: NamedThing): void {
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

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS206",
    title: "row 64: two services of one name",
    spoil: ({ document, logAd }) => void document.services!.push({ ...logAd }),
    pointer: "/services/4/name",
    node: "service:LogAd",
  },
  {
    code: "PS206",
    title: "row 64: two stages of one id",
    spoil: ({ log }) => void (log.id = "pick"),
    pointer: "/flows/0/stages/1/id",
  },
  {
    code: "PS206",
    title: "two pools of one name",
    spoil: ({ binary, front }) => void binary.pools!.push({ ...front }),
    pointer: "/binaries/0/pools/2/name",
  },
  {
    code: "PS207",
    title: "HTTPGet and HttpGet",
    spoil: ({ document }) => void document.messages!.push({ name: "HTTPGet" }, { name: "HttpGet" }),
    pointer: "/messages/3/name",
  },
  {
    code: "PS207",
    title: "user_id and userId",
    spoil: ({ ad }) =>
      void ad.fields!.push(
        { name: "user_id", type: "int32", tag: 8 },
        { name: "userId", type: "int32", tag: 9 },
      ),
    pointer: "/messages/1/fields/3/name",
  },
  {
    code: "PS207",
    title: "binaries a-b and a_b",
    spoil: ({ document }) => void document.binaries!.push({ name: "a-b" }, { name: "a_b" }),
    pointer: "/binaries/2/name",
  },
  {
    code: "PS207",
    title: "a service and a message that differ in case",
    spoil: ({ document }) => void document.messages!.push({ name: "Getad" }),
    pointer: "/services/0/name",
  },
  {
    code: "PS208",
    title: "a flow named as a message",
    spoil: ({ flow, bundle }) => {
      flow.name = "Ad";
      bundle.flows = ["Ad"];
    },
    pointer: "/flows/0/name",
  },
  {
    code: "PS206",
    title: "two presets of one name",
    spoil: ({ binary }) => force(binary, { presets: [{ name: "night" }, { name: "night" }] }),
    pointer: "/binaries/0/presets/1/name",
  },
];
