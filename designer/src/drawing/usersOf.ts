import type { Topology } from "@penstock/codegen/topology";
import { nodeOfService } from "../kernel/document/edits/flows.js";
import type { IconKind } from "../kernel/ui/index.js";
import { standardSourceIcon, type SourceIcons } from "../kernel/ui/icons/sourceIcon.js";

/** Something that mentions a type, and how. */
export interface TypeUser {
  ref: string;
  label: string;
  icon: IconKind;
  how: string;
}

/** Everything that uses a message or enum, in the document's order. */
export const usersOf = (
  topology: Topology,
  name: string,
  sourceIcon: SourceIcons = standardSourceIcon,
): TypeUser[] => [
  ...topology.services.flatMap((service): TypeUser[] => {
    const how = [
      service.request === name ? "request" : "",
      service.response === name ? "response" : "",
    ].filter(Boolean);
    if (how.length === 0) return [];
    return [
      {
        ref: nodeOfService(topology, service.name),
        label: service.name,
        icon: service.kind,
        how: how.join(", "),
      },
    ];
  }),
  ...topology.flows
    .filter((flow) => flow.event === name)
    .map((flow): TypeUser => ({
      ref: `flow:${flow.name}`,
      label: flow.name,
      icon: sourceIcon(flow.source.kind),
      how: "event",
    })),
  ...topology.messages
    .filter((message) => message.fields.some((field) => field.type === name))
    .map((message): TypeUser => ({
      ref: `message:${message.name}`,
      label: message.name,
      icon: "message",
      how: "field",
    })),
];
