import { quote } from "../../../diagnostics/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS303: {
    severity: "error",
    title: "Call to an unknown service",
    explanation: "A call names a service of this topology.",
    help: "Correct the name, or add the service.",
  },
  PS304: {
    severity: "error",
    title: "Call drawn twice",
    explanation:
      "A service names each service it calls once; a handler may use the call as often as it likes.",
    help: "Remove one of the two.",
  },
} satisfies Codes;

/** Calls name existing services, each once. */
export const callsResolve = rule({
  name: "callsResolve",
  codes: CODES,
  check({ topology, index, report, didYouMean }) {
    for (const [at, { name, calls }] of topology.services.entries()) {
      const seen = new Set<string>();
      for (const [inner, callee] of calls.entries()) {
        const place = ["services", at, "calls", inner];
        if (!index.services.has(callee))
          report(
            "PS303",
            place,
            `${quote(name)} calls ${quote(callee)}, which does not exist`,
            didYouMean(callee, index.services.keys()),
          );
        else if (seen.has(callee)) report("PS304", place, `${quote(name)} calls ${quote(callee)} twice`);
        seen.add(callee);
      }
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS303",
    title: "row 65: a dangling call",
    spoil: ({ getAd }) => void (getAd.calls = ["ProduceAds"]),
    pointer: "/services/0/calls/0",
    node: "service:GetAd",
    help: 'Did you mean "ProduceAd"?',
  },
  {
    code: "PS304",
    title: "a call twice",
    spoil: ({ getAd }) => void getAd.calls!.push("ProduceAd"),
    pointer: "/services/0/calls/1",
  },
];
