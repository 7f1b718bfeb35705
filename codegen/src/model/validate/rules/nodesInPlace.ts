import { quote, quoteList } from "../../diagnostics/index.js";
import type { Rule } from "../rule.js";

/** Nodes hold stages of the roles they are made for, and those that may end an event are not called. */
export const nodesInPlace: Rule = {
  name: "nodesInPlace",
  codes: ["PS328", "PS330"],
  check({ topology, index, palette, report }) {
    if (palette === undefined) return;
    const manifestOf = (name: string) => palette.get(index.services.get(name)?.item.node?.type ?? "");
    for (const [at, flow] of topology.flows.entries())
      for (const [inner, stage] of flow.stages.entries()) {
        const manifest = manifestOf(stage.service);
        if (manifest !== undefined && !manifest.roles.includes(stage.role))
          report(
            "PS328",
            ["flows", at, "stages", inner],
            `${quote(stage.service)} is a ${manifest.type} node, which cannot hold a ${stage.role} stage`,
            { help: `Give the stage the role ${quoteList(manifest.roles)}.` },
          );
      }
    for (const [at, service] of topology.services.entries())
      for (const [inner, callee] of service.calls.entries()) {
        const manifest = manifestOf(callee);
        if (manifest?.flowOnly === true)
          report(
            "PS330",
            ["services", at, "calls", inner],
            `${quote(service.name)} calls ${quote(callee)}, a ${manifest.type} node, which may end an event without an answer`,
          );
      }
  },
};
