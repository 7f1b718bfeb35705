import { quote, quoteList } from "../../../diagnostics/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import { asNode, type BadExample } from "../../testing/badExample.js";

const CODES = {
  PS328: {
    severity: "error",
    title: "Role does not fit the node",
    explanation:
      "A node that gives nothing back holds a `side-effect`, one with a response a `map`; its manifest lists the roles.",
    help: "Give the stage a role that the node may hold.",
  },
  PS330: {
    severity: "error",
    title: "Call to a node that may end an event",
    explanation:
      "A filter, a window or a batch may give nothing back; a caller would wait for an answer that never comes.",
    help: "Put the node into a flow as a stage.",
  },
} satisfies Codes;

/** Nodes hold stages of the roles they are made for, and those that may end an event are not called. */
export const nodesInPlace = rule({
  name: "nodesInPlace",
  codes: CODES,
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
});

// prettier-ignore
export const bad: readonly BadExample<keyof typeof CODES>[] = [
  { code: "PS328", title: "a filter as a map", spoil: (parts) => { asNode("filter", { condition: "true" })(parts); parts.log.role = "map"; }, pointer: "/flows/0/stages/1", help: '"side-effect"' },
  { code: "PS330", title: "a call to a filter", spoil: (parts) => { asNode("filter", { condition: "true" })(parts); parts.getAd.calls!.push("LogAd"); }, pointer: "/services/0/calls/1" },
];
