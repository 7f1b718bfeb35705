import type { Topology } from "@penstock/codegen/topology";
import { nodeOfService } from "../../kernel/document/edits/flows.js";
import { madeOnce } from "../../kernel/document/madeOnce.js";
import type { IconKind } from "../../kernel/ui/index.js";
import { standardSourceIcon, type SourceIcons } from "../../kernel/ui/icons/iconKind.js";

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

/** How many use each message and enum that is used, by its name: as many as `usersOf` lists. */
export const usesOf = madeOnce(({ services, flows, messages }: Topology): ReadonlyMap<string, number> => {
  const uses = new Map<string, number>();
  const count = (...names: (string | undefined)[]): void => {
    for (const name of new Set(names)) if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + 1);
  };
  for (const { request, response } of services) count(request, response);
  for (const { event } of flows) count(event);
  for (const { fields } of messages) count(...fields.map(({ type }) => type));
  return uses;
});
