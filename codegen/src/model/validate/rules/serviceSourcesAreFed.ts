import { quote } from "../../diagnostics/index.js";
import type { Rule } from "../rule.js";

/** A flow with a `service` source shares a bundle with a service, whose handler may push into it. */
export const serviceSourcesAreFed: Rule = {
  name: "serviceSourcesAreFed",
  codes: ["PS424"],
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
};
