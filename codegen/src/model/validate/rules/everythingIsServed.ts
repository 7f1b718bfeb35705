import { quote } from "../../diagnostics/index.js";
import { STANDARD_SOURCES } from "../../sources/index.js";
import type { Rule } from "../rule.js";

/** Warnings while drawing: what nothing would run, and sources that would make every event twice. */
export const everythingIsServed: Rule = {
  name: "everythingIsServed",
  codes: ["PS614", "PS615", "PS616", "PS617"],
  check({ topology, index, sources = STANDARD_SOURCES, report }) {
    const bundledServices = new Set(topology.bundles.flatMap(({ services }) => services));
    const bundledFlows = new Set(topology.bundles.flatMap(({ flows }) => flows));
    const binariesOfBundle = new Map<string, number>();
    for (const { bundles } of topology.binaries)
      for (const name of new Set(bundles)) binariesOfBundle.set(name, (binariesOfBundle.get(name) ?? 0) + 1);

    const twice = new Map<string, number>();
    for (const [at, { name, flows }] of topology.bundles.entries())
      if ((binariesOfBundle.get(name) ?? 0) > 1)
        for (const flow of flows) if (!twice.has(flow)) twice.set(flow, at);

    for (const [at, { name }] of topology.services.entries())
      if (!bundledServices.has(name))
        report("PS614", ["services", at], `The service ${quote(name)} is in no bundle`);
    for (const [at, { name }] of topology.bundles.entries())
      if (!binariesOfBundle.has(name))
        report("PS615", ["bundles", at], `The bundle ${quote(name)} is in no binary`);
    for (const [at, { name, source }] of topology.flows.entries()) {
      if (!bundledFlows.has(name)) report("PS616", ["flows", at], `The flow ${quote(name)} is in no bundle`);
      const [first, second] = index.binariesOfFlow.get(name) ?? [];
      if (first === undefined || second === undefined || sources.get(source.kind)?.repeats !== true) continue;
      const bundle = twice.get(name) ?? -1;
      report(
        "PS617",
        bundle < 0 ? ["flows", at, "source"] : ["bundles", bundle],
        `The ${source.kind} source of ${quote(name)} runs in ${quote(first)} and in ${quote(second)}: every event is made twice`,
      );
    }
  },
};
