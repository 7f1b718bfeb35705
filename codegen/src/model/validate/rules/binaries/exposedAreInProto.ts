import { quote } from "../../../diagnostics/index.js";
import { LIMITS, protoScope, routesOf, type Topology } from "../../../topology/index.js";
import type { Fix } from "../../rule/fix.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS648: {
    severity: "warning",
    title: "Exposed bundle that messages.proto has no service of",
    explanation:
      "In protobuf messages, enums, their values and services share one scope, so a bundle that is named as one of the others is no service in `messages.proto`: programs in other languages cannot be generated from it to ask what a binary exposes of the bundle.",
    help: "Rename the bundle; its routes then have the new name.",
    fixes: renaming,
  },
} satisfies Codes;

/** Bundles of which something is exposed are services in the `.proto`: nothing else there has their name. */
export const exposedAreInProto = rule({
  name: "exposedAreInProto",
  codes: CODES,
  check({ topology, report }) {
    const scope = protoScope(topology);
    if (topology.bundles.every(({ name }) => !scope.has(name))) return;
    const exposing = new Map(
      topology.binaries.flatMap((binary) =>
        routesOf(topology, binary).map(({ bundle }) => [bundle, binary.name] as const),
      ),
    );
    for (const [at, { name }] of topology.bundles.entries()) {
      const [taken, binary] = [scope.get(name), exposing.get(name)];
      if (taken === undefined || binary === undefined) continue;
      report(
        "PS648",
        ["bundles", at, "name"],
        `The bundle ${quote(name)} has the name of ${taken === "enum" ? "an" : "a"} ${taken}: what ${quote(binary)} exposes of it is in no service of messages.proto`,
      );
    }
  },
});

function renaming(topology: Topology, [, at]: readonly string[]): Fix[] {
  const bundle = topology.bundles[Number(at)]?.name;
  if (bundle === undefined) return [];
  // Bundles are told apart whatever the case of their letters.
  const taken = new Set(
    [...protoScope(topology).keys(), ...topology.bundles.map(({ name }) => name)].map((name) =>
      name.toLowerCase(),
    ),
  );
  const stem = `${bundle.slice(0, LIMITS.nameLength - "Bundle99".length)}Bundle`;
  let name = stem;
  for (let number = 2; taken.has(name.toLowerCase()); ++number) name = `${stem}${number}`;
  return [{ does: "rename bundle", bundle, name }];
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS648",
    title: "a bundle with an exposed service, named as a message",
    spoil: ({ bundle, binary }) => {
      bundle.name = "Ad";
      Object.assign(binary, { bundles: ["Ad"], http: "127.0.0.1:0", expose: ["GetAd"] });
    },
    pointer: "/bundles/0/name",
    node: "bundle:Ad",
  },
  {
    code: "PS648",
    title: "a bundle with an exposed service, named as the built-in failure",
    spoil: ({ bundle, binary }) => {
      bundle.name = "Failure";
      Object.assign(binary, { bundles: ["Failure"], http: "127.0.0.1:0", expose: ["GetAd"] });
    },
    pointer: "/bundles/0/name",
  },
  {
    code: "PS648",
    title: "a bundle with an exposed service, named as an enum's value in protobuf",
    spoil: ({ tier, bundle, binary }) => {
      tier.values![1]!.protoName = "Paid";
      bundle.name = "Paid";
      Object.assign(binary, { bundles: ["Paid"], http: "127.0.0.1:0", expose: ["GetAd"] });
    },
    pointer: "/bundles/0/name",
  },
];
