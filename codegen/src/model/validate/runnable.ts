import { quote } from "../diagnostics/index.js";
import { isLoopback } from "./address.js";
import { reachOf } from "./reach.js";
import type { Rule, RuleContext } from "./rule.js";

/** A binary is by itself: it listens to nobody and asks no other one. */
const binariesAreAlone: Rule = {
  name: "binariesAreAlone",
  codes: ["PS905", "PS906", "PS907", "PS908"],
  check(context) {
    const { topology, index, report } = context;
    for (const [at, { name, listen, http }] of topology.binaries.entries()) {
      if (listen.length > 0)
        report("PS905", ["binaries", at, "listen"], `The binary ${quote(name)} has a listen address`);
      if (http !== undefined && !isLoopback(http))
        report("PS906", ["binaries", at, "http"], `The binary ${quote(name)} takes HTTP at ${quote(http)}`);
    }
    for (const [at, { name, calls }] of topology.services.entries())
      for (const [inner, callee] of calls.entries()) {
        const binary = asksElsewhere(context, index.binariesOfService.get(name), callee);
        if (binary !== undefined)
          report(
            "PS907",
            ["services", at, "calls", inner],
            `${quote(name)} in ${quote(binary)} calls ${quote(callee)} in another binary`,
          );
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
};

/** The first binary that needs a service which only others serve. */
const asksElsewhere = (
  { index }: RuleContext,
  asking: readonly string[] = [],
  service: string,
): string | undefined => asking.find((binary) => ["there", "deaf"].includes(reachOf(index, binary, service)));

/** What the format knows and the runtime cannot run yet: asked at generation only. */
export const RUNNABLE_RULES: readonly Rule[] = [binariesAreAlone];
