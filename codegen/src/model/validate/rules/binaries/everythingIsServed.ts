import { quote } from "../../../diagnostics/index.js";
import { STANDARD_SOURCES } from "../../../sources/index.js";
import { replicasOf, type Topology } from "../../../topology/index.js";
import { bundleFixes, servingFixes, type Fix } from "../../rule/fix.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS614: {
    severity: "warning",
    title: "Service in no bundle",
    explanation: "No binary can serve a service that is in no bundle.",
    help: "Put it into a bundle.",
    fixes: (topology, [, at]) => servingFixes(topology, topology.services[Number(at)]?.name),
  },
  PS615: {
    severity: "warning",
    title: "Bundle in no binary",
    explanation: "Nothing runs what is in the bundle.",
    help: "Put it into a binary.",
    fixes: binaryFixes,
  },
  PS616: {
    severity: "warning",
    title: "Flow in no bundle",
    explanation: "Nothing runs the flow.",
    help: "Put it into a bundle.",
    fixes: (topology, [, at]) => {
      const flow = topology.flows[Number(at)];
      return flow === undefined ? [] : bundleFixes(topology, { services: [], flows: [flow.name] });
    },
  },
  PS617: {
    severity: "warning",
    title: "Source runs twice",
    explanation:
      "A `rate` or `file` source in two binaries, or in one of several replicas, makes every event more than once.",
    help: "Put the bundle into one binary that runs once.",
  },
} satisfies Codes;

/** Warnings while drawing: what nothing would run, and sources that would make every event twice. */
export const everythingIsServed = rule({
  name: "everythingIsServed",
  codes: CODES,
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
      if (first === undefined || sources.get(source.kind)?.repeats !== true) continue;
      const replicas = replicasOf(index.binaries.get(first)?.item);
      if (second === undefined && replicas < 2) continue;
      const bundle = twice.get(name) ?? -1;
      const again =
        second === undefined
          ? `in ${replicas} processes of ${quote(first)}: every event is made ${replicas} times`
          : `in ${quote(first)} and in ${quote(second)}: every event is made twice`;
      report(
        "PS617",
        bundle < 0 ? ["flows", at, "source"] : ["bundles", bundle],
        `The ${source.kind} source of ${quote(name)} runs ${again}`,
      );
    }
  },
});

function binaryFixes({ binaries, bundles }: Topology, [, at]: readonly string[]): Fix[] {
  const bundle = bundles[Number(at)]?.name;
  if (bundle === undefined) return [];
  const [first] = binaries;
  const there: Fix[] = first ? [{ does: "add to binary", binary: first.name, bundle }] : [];
  return [...there, { does: "add binary", bundle }];
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS614",
    title: "a service in no bundle",
    severity: "warning",
    spoil: ({ document }) => void document.services!.push({ name: "Alone", request: "Ad" }),
    pointer: "/services/4",
    node: "service:Alone",
  },
  {
    code: "PS615",
    title: "a bundle in no binary",
    severity: "warning",
    spoil: ({ document }) => void document.bundles!.push({ name: "Alone" }),
    pointer: "/bundles/1",
  },
  {
    code: "PS616",
    title: "a flow in no bundle",
    severity: "warning",
    spoil: ({ bundle }) => void (bundle.flows = []),
    pointer: "/flows/0",
  },
  {
    code: "PS617",
    title: "a rate source in two binaries",
    severity: "warning",
    spoil: ({ document }) =>
      void document.binaries!.push({
        name: "twin",
        bundles: ["AdBundle"],
        pools: [{ name: "front", threads: [{}] }],
      }),
    pointer: "/bundles/0",
  },
  {
    code: "PS617",
    title: "a rate source in a binary of two replicas",
    severity: "warning",
    spoil: ({ binary }) => void (binary.replicas = 2),
    pointer: "/flows/0/source",
  },
];
