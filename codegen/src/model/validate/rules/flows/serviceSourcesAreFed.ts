import { quote } from "../../../diagnostics/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS424: {
    severity: "warning",
    title: "Flow into which nobody pushes",
    explanation:
      "Events of a `service` source are pushed by handlers of the same bundle, and no bundle of the flow has a service whose handler could.",
    help: "Put a service that pushes into the flow's bundle.",
  },
} satisfies Codes;

/** A flow with a `service` source shares a bundle with a service, whose handler may push into it. */
export const serviceSourcesAreFed = rule({
  name: "serviceSourcesAreFed",
  codes: CODES,
  check({ topology, report }) {
    const fed = new Set(
      topology.bundles.filter((bundle) => bundle.services.length > 0).flatMap((bundle) => bundle.flows),
    );
    const bundled = new Set(topology.bundles.flatMap((bundle) => bundle.flows));
    for (const [at, { name, source }] of topology.flows.entries())
      // A flow in no bundle has a warning of its own.
      if (source.kind === "service" && bundled.has(name) && !fed.has(name))
        report(
          "PS424",
          ["flows", at, "source"],
          `${quote(name)} takes events from services, and no service is in a bundle with it`,
        );
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS424",
    title: "a flow that nobody can push into",
    spoil: ({ flow, bundle, document, binary }) => {
      flow.source = { kind: "service" };
      bundle.flows = [];
      document.bundles!.push({ name: "Pushed", flows: ["Impressions"] });
      binary.bundles!.push("Pushed");
    },
    pointer: "/flows/0/source",
  },
];
