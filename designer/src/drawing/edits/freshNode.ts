import {
  counts,
  kindOfNode,
  listsOf,
  nodePorts,
  type NodeManifest,
  type SettingSchema,
} from "@penstock/codegen/manifests";
import { indexTopology, type Service, type Topology } from "@penstock/codegen/topology";
import { freshName } from "../../kernel/document/model.js";
import { sharedNames } from "../../kernel/document/edits/messages.js";
import { likelyTypes } from "../../kernel/document/edits/services.js";

/** `rate-limit` -> `RateLimit`, or `RateLimit2` where that is taken. */
export const freshNodeName = (topology: Topology, type: string): string =>
  freshName(
    type
      .split("-")
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(""),
    sharedNames(topology),
  );

/**
 * A service that is such a node, taking `request` (what the stage before it gives) or what the last
 * service drawn takes. Its settings are what their schema starts with; what has to be chosen and can
 * be guessed is guessed, the rest is asked for by the rules at its field.
 */
export function freshNode(topology: Topology, manifest: NodeManifest, request: string | undefined): Service {
  const takes = request ?? likelyTypes(topology).request;
  const settings = firstSettings(manifest.settings);
  const service: Service = {
    name: freshNodeName(topology, manifest.type),
    kind: kindOfNode(manifest, settings),
    request: takes,
    calls: [],
    implementations: [],
    node: { type: manifest.type, settings },
  };
  const response = likelyResponse(topology, manifest, takes);
  return response === undefined ? service : { ...service, response };
}

function likelyResponse(topology: Topology, manifest: NodeManifest, request: string): string | undefined {
  const { is, needs } = manifest.ports.response;
  if (is === "none") return undefined;
  if (is === "request") return request;
  if (needs === undefined) return request;
  const index = indexTopology(topology);
  const fits = ({ name }: { name: string }): boolean => {
    const ports = nodePorts({ name: "", request, response: name, calls: [] } as unknown as Service, index);
    return needs === "one-enum" ? ports.decides !== undefined : listsOf(ports.response, request).length > 0;
  };
  return topology.messages.find(fits)?.name ?? request;
}

/** What is required and has a value to start with; optional settings stay out of the document. */
function firstSettings(schema: NodeManifest["settings"]): Record<string, unknown> {
  const entries = schema.required.flatMap((key) => {
    const property = schema.properties[key];
    return property === undefined || !counts(property, schema.properties, {})
      ? []
      : [[key, firstValue(property)] as const];
  });
  return Object.fromEntries(entries);
}

/** A value of the right shape to start with. */
export function firstValue(schema: SettingSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  switch (schema.type) {
    case "array":
      return schema.items && (schema.minItems ?? 0) > 0 ? [firstValue(schema.items)] : [];
    case "object":
      return Object.fromEntries(
        (schema.required ?? []).map((key) => [
          key,
          firstValue(schema.properties?.[key] ?? { type: "string" }),
        ]),
      );
    case "boolean":
      return false;
    case "integer":
    case "number":
      return schema.minimum ?? 0;
    default:
      return schema.enum?.[0] ?? "";
  }
}
