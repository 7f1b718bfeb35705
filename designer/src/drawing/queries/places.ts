import type { Topology } from "@penstock/codegen/topology";
import { nodeOfService } from "../../kernel/document/edits/flows.js";
import type { IconKind } from "../../kernel/ui/index.js";
import type { SourceIcons } from "../../kernel/ui/icons/iconKind.js";

/** Something one can jump to. */
export interface Place {
  ref: string;
  label: string;
  icon: IconKind;
  kind: string;
}

/** Everything in a project that has a name. */
export const findPlaces = (topology: Topology, sourceIcon: SourceIcons): Place[] => [
  ...topology.services.map((service): Place => ({
    ref: nodeOfService(topology, service.name),
    label: service.name,
    icon: service.kind,
    kind: "service",
  })),
  ...topology.flows.map((flow): Place => ({
    ref: `flow:${flow.name}`,
    label: flow.name,
    icon: sourceIcon(flow.source.kind),
    kind: "flow",
  })),
  ...topology.messages.map((item): Place => ({
    ref: `message:${item.name}`,
    label: item.name,
    icon: "message",
    kind: "message",
  })),
  ...topology.enums.map((item): Place => ({
    ref: `enum:${item.name}`,
    label: item.name,
    icon: "enum",
    kind: "enum",
  })),
  ...topology.bundles.map((item): Place => ({
    ref: `bundle:${item.name}`,
    label: item.name,
    icon: "bundle",
    kind: "bundle",
  })),
  ...topology.binaries.flatMap((binary): Place[] => [
    { ref: `binary:${binary.name}`, label: binary.name, icon: "binary", kind: "binary" },
    ...binary.pools.map((pool): Place => ({
      ref: `pool:${binary.name}/${pool.name}`,
      label: pool.name,
      icon: "pool",
      kind: `pool of ${binary.name}`,
    })),
  ]),
];
