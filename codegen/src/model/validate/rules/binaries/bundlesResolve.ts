import { quote, suggest, type CatalogueEntry } from "../../../diagnostics/index.js";
import type { Topology } from "../../../topology/index.js";
import type { Fix } from "../../rule/fix.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

/** Of every list of names. */
export const NAMED_TWICE = {
  severity: "error",
  title: "Named twice in a list",
  explanation: "Naming a thing twice in one list says nothing more than naming it once.",
  help: "Remove one of the two.",
} as const satisfies CatalogueEntry;

const CODES = {
  PS610: {
    severity: "error",
    title: "Unknown bundle",
    explanation: "A binary serves bundles of this topology.",
    help: "Correct the name, or add the bundle.",
  },
  PS611: {
    severity: "error",
    title: "Unknown service in a bundle",
    explanation: "A bundle holds services of this topology.",
    help: "Correct the name, or add the service.",
    fixes: memberFixes,
  },
  PS612: {
    severity: "error",
    title: "Unknown flow in a bundle",
    explanation: "A bundle holds flows of this topology.",
    help: "Correct the name, or add the flow.",
    fixes: memberFixes,
  },
  PS613: NAMED_TWICE,
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/** Bundles hold services and flows that exist, binaries serve bundles that exist, each named once. */
export const bundlesResolve = rule({
  name: "bundlesResolve",
  codes: CODES,
  check(context) {
    const { topology, index } = context;
    for (const [at, { name, services, flows }] of topology.bundles.entries()) {
      const owner = `The bundle ${quote(name)}`;
      checkList(context, "PS611", ["bundles", at, "services"], owner, "service", services, index.services);
      checkList(context, "PS612", ["bundles", at, "flows"], owner, "flow", flows, index.flows);
    }
    for (const [at, { name, bundles }] of topology.binaries.entries())
      checkList(
        context,
        "PS610",
        ["binaries", at, "bundles"],
        `The binary ${quote(name)}`,
        "bundle",
        bundles,
        index.bundles,
      );
  },
});

/** Of a name in a bundle that nothing drawn has: the one most likely meant, if no bundle has that yet, or none. */
function memberFixes(topology: Topology, [, at, list, inner]: readonly string[]): Fix[] {
  const key = list === "flows" ? "flows" : "services";
  const bundle = topology.bundles[Number(at)];
  const name = bundle?.[key][Number(inner)];
  if (bundle === undefined || name === undefined || topology[key].some((one) => one.name === name)) return [];
  const bundled = new Set(topology.bundles.flatMap((one) => one[key]));
  const free = topology[key].map((one) => one.name).filter((one) => !bundled.has(one));
  const meant = suggest(name, free);
  const place = { bundle: bundle.name, key, name } as const;
  return [
    ...(meant === undefined ? [] : [{ does: "use in bundle", ...place, meant } as const]),
    { does: "remove from bundle", ...place },
  ];
}

function checkList(
  { report, didYouMean }: Context,
  unknown: keyof typeof CODES,
  place: Place,
  owner: string,
  what: string,
  names: readonly string[],
  known: ReadonlyMap<string, unknown>,
): void {
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (!known.has(name))
      report(
        unknown,
        [...place, at],
        `${owner} names the ${what} ${quote(name)}, which does not exist`,
        didYouMean(name, known.keys()),
      );
    else if (seen.has(name))
      report("PS613", [...place, at], `${owner} names the ${what} ${quote(name)} twice`);
    seen.add(name);
  }
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS610",
    title: "no such bundle",
    spoil: ({ binary }) => void binary.bundles!.push("AdBundel"),
    pointer: "/binaries/0/bundles/1",
    help: 'Did you mean "AdBundle"?',
  },
  {
    code: "PS611",
    title: "no such service in a bundle",
    spoil: ({ bundle }) => void bundle.services!.push("Gone"),
    pointer: "/bundles/0/services/4",
    node: "bundle:AdBundle",
  },
  {
    code: "PS612",
    title: "no such flow in a bundle",
    spoil: ({ bundle }) => void bundle.flows!.push("Gone"),
    pointer: "/bundles/0/flows/1",
  },
  {
    code: "PS613",
    title: "a service twice in a bundle",
    spoil: ({ bundle }) => void bundle.services!.push("GetAd"),
    pointer: "/bundles/0/services/4",
  },
];
