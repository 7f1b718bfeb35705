import { quote } from "../../../diagnostics/index.js";
import { isLoopback } from "../../address.js";
import { reachOf } from "../../reach.js";
import { rule, type Codes, type RuleContext } from "../../rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS905: {
    severity: "error",
    title: "Listening cannot run yet",
    explanation:
      "This version has no links between hosts. Binaries on one host find each other without an address.",
    help: "Remove `listen`, and start the binaries on one host.",
  },
  PS906: {
    severity: "error",
    title: "HTTP beyond this machine cannot run yet",
    explanation:
      "This version takes HTTP requests without TLS, so it binds to a loopback address only (127.0.0.1, [::1] or localhost).",
    help: "Use `127.0.0.1:PORT`; a proxy with TLS in front of it can take requests from elsewhere.",
  },
  PS908: {
    severity: "error",
    title: "Stages in other binaries cannot run yet",
    explanation: "This version runs a flow within one binary.",
    help: "Put a bundle with the service into the binary that serves the flow.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/** A binary listens to nobody beyond its host, and runs its flows by itself. */
export const binariesAreAlone = rule({
  name: "binariesAreAlone",
  codes: CODES,
  check(context) {
    const { topology, index, report } = context;
    for (const [at, { name, listen, http }] of topology.binaries.entries()) {
      if (listen.length > 0)
        report("PS905", ["binaries", at, "listen"], `The binary ${quote(name)} has a listen address`);
      if (http !== undefined && !isLoopback(http))
        report("PS906", ["binaries", at, "http"], `The binary ${quote(name)} takes HTTP at ${quote(http)}`);
    }
    for (const [at, { name, stages }] of topology.flows.entries())
      for (const [inner, { id, service }] of stages.entries()) {
        const binary = asksElsewhere(context, index.binariesOfFlow.get(name), service);
        if (binary !== undefined)
          report(
            "PS908",
            ["flows", at, "stages", inner],
            `The stage ${quote(id)} of ${quote(name)} in ${quote(binary)} runs in another binary`,
          );
      }
  },
});

/** The first binary that needs a service which only others serve. */
const asksElsewhere = (
  { index }: Context,
  asking: readonly string[] = [],
  service: string,
): string | undefined => asking.find((binary) => reachOf(index, binary, service) === "there");

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS905",
    title: "listening",
    spoil: ({ binary }) => void (binary.listen = ["tcp://127.0.0.1:0"]),
    pointer: "/binaries/0/listen",
  },
  {
    code: "PS906",
    title: "http beyond this machine",
    spoil: ({ binary }) => void (binary.http = "0.0.0.0:8080"),
    pointer: "/binaries/0/http",
  },
  {
    code: "PS908",
    title: "a stage in another binary",
    spoil: ({ bundle, document }) => {
      bundle.services = ["GetAd", "ProduceAd", "CountError"];
      document.bundles!.push({ name: "Logs", services: ["LogAd"] });
      document.binaries!.push({ name: "logs", bundles: ["Logs"] });
    },
    pointer: "/flows/0/stages/1",
  },
];
