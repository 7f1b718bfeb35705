import type { Topology } from "@penstock/codegen/topology";
import { firstStageOf, nodeOfService } from "../../kernel/document/edits/flows.js";
import type { SourceIcons } from "../../kernel/ui/icons/iconKind.js";
import type { IconKind } from "../../kernel/ui/index.js";

/** One row of the project tree. */
export interface TreeRow {
  /** Unique in the tree: a service used twice is there twice. */
  key: string;
  /** What it selects. */
  ref: string;
  label: string;
  icon: IconKind;
  depth: number;
  children: number;
  /** Names under which a search finds it. */
  service: string | undefined;
}

interface Draft extends Omit<TreeRow, "depth" | "children"> {
  children: Draft[];
}

/**
 * Binaries hold bundles, bundles hold flows (with their stages) and services; what nobody holds
 * stands at the top level, so that nothing is out of sight. Messages come last.
 */
function drafts(topology: Topology, sourceIcon: SourceIcons): Draft[] {
  const services = new Map(topology.services.map((service) => [service.name, service]));
  const serviceDraft = (name: string, parent: string, ref = nodeOfService(topology, name)): Draft => ({
    key: `${parent}>${ref}`,
    ref,
    label: name,
    icon: services.get(name)?.kind ?? "simple",
    service: name,
    children: [],
  });
  const flowDraft = (name: string, parent: string): Draft[] => {
    const flow = topology.flows.find((item) => item.name === name);
    if (!flow) return [];
    const ref = `flow:${name}`;
    const stages = flow.stages.map((stage): Draft => ({
      ...serviceDraft(stage.service, `${parent}>${ref}`, `stage:${name}/${stage.id}`),
      ...(stage.role === "map" ? {} : { icon: stage.role }),
    }));
    return [
      {
        key: `${parent}>${ref}`,
        ref,
        label: name,
        icon: sourceIcon(flow.source.kind),
        service: undefined,
        children: stages,
      },
    ];
  };
  const bundleDraft = (name: string, parent: string): Draft[] => {
    const bundle = topology.bundles.find((item) => item.name === name);
    if (!bundle) return [];
    const ref = `bundle:${name}`;
    const key = `${parent}>${ref}`;
    const staged = new Set(
      topology.flows
        .filter((flow) => bundle.flows.includes(flow.name))
        .flatMap((flow) => flow.stages.map((stage) => stage.service)),
    );
    const inside = bundle.flows.flatMap((flow) => flowDraft(flow, key));
    const rest = bundle.services.filter((service) => !staged.has(service) && services.has(service));
    return [
      {
        key,
        ref,
        label: name,
        icon: "bundle",
        service: undefined,
        children: [...inside, ...rest.map((item) => serviceDraft(item, key))],
      },
    ];
  };

  const rows: Draft[] = topology.binaries.map((binary) => {
    const ref = `binary:${binary.name}`;
    const pools = binary.pools.map((pool): Draft => ({
      key: `${ref}>pool:${pool.name}`,
      ref: `pool:${binary.name}/${pool.name}`,
      label: pool.name,
      icon: "pool",
      service: undefined,
      children: [],
    }));
    return {
      key: ref,
      ref,
      label: binary.name,
      icon: "binary",
      service: undefined,
      children: [...binary.bundles.flatMap((bundle) => bundleDraft(bundle, ref)), ...pools],
    };
  });
  const served = new Set(topology.binaries.flatMap((binary) => binary.bundles));
  for (const bundle of topology.bundles)
    if (!served.has(bundle.name)) rows.push(...bundleDraft(bundle.name, ""));
  const bundledFlows = new Set(topology.bundles.flatMap((bundle) => bundle.flows));
  const bundled = new Set(topology.bundles.flatMap((bundle) => bundle.services));
  for (const flow of topology.flows) if (!bundledFlows.has(flow.name)) rows.push(...flowDraft(flow.name, ""));
  for (const service of topology.services)
    if (!bundled.has(service.name) && !firstStageOf(topology, service.name))
      rows.push(serviceDraft(service.name, ""));
  for (const [kind, list] of [
    ["message", topology.messages],
    ["enum", topology.enums],
  ] as const)
    for (const item of list)
      rows.push({
        key: `${kind}:${item.name}`,
        ref: `${kind}:${item.name}`,
        label: item.name,
        icon: kind,
        service: undefined,
        children: [],
      });
  return rows;
}

/** The rows that show: matching ones with what they are in, without what is folded away. */
export function treeRows(
  topology: Topology,
  matches: ((row: Pick<TreeRow, "label" | "ref" | "service">) => boolean) | undefined,
  folded: ReadonlySet<string>,
  sourceIcon: SourceIcons,
): TreeRow[] {
  const rows: TreeRow[] = [];
  const visit = (draft: Draft, depth: number): boolean => {
    const at = rows.length;
    rows.push({ ...draft, depth, children: draft.children.length });
    let shown = matches?.(draft) ?? true;
    if (matches || !folded.has(draft.key))
      for (const child of draft.children) shown = visit(child, depth + 1) || shown;
    if (!shown) rows.length = at;
    return shown;
  };
  for (const draft of drafts(topology, sourceIcon)) visit(draft, 0);
  return rows;
}
