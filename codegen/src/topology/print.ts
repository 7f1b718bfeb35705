import type { z } from "zod";
import { formatJson } from "./json/formatJson.js";
import type { JsonObject, JsonValue } from "./json/value.js";
import { topologySchema, type Topology } from "./schema.js";

type Schema = z.core.$ZodType;

/**
 * The text of `topology.json`: keys in the order of the schema, maps sorted by key, lists in the
 * user's order, defaults left out. Equal topologies give equal bytes on every machine, and
 * `printTopology(parseTopology(text).topology)` of a printed text gives the text again.
 */
export const printTopology = (topology: Topology): string =>
  formatJson(plain(topologySchema, topology) ?? {});

/** `value` as JSON in the order of its schema without its defaults; undefined when nothing is left to say. */
export function plain(schema: Schema, value: unknown): JsonValue | undefined {
  if (value === undefined) return undefined;
  const { def } = (schema as z.core.$ZodTypes)["_zod"];
  switch (def.type) {
    case "default": {
      const inner = plain(def.innerType, value);
      return JSON.stringify(inner) === JSON.stringify(def.defaultValue) ? undefined : inner;
    }
    case "optional":
      return saysNothing(def.innerType, value) ? undefined : plain(def.innerType, value);
    case "object": {
      const object: JsonObject = {};
      for (const [key, inner] of Object.entries(def.shape)) {
        const said = plain(inner, (value as Record<string, unknown>)[key]);
        if (said !== undefined) object[key] = said;
      }
      return object;
    }
    case "record": {
      const object: JsonObject = {};
      for (const key of Object.keys(value as object).sort())
        object[key] = plain(def.valueType, (value as Record<string, unknown>)[key]) ?? null;
      return object;
    }
    case "array":
      return (value as unknown[]).map((item) => plain(def.element, item) ?? null);
    case "union": {
      const branch = def.options.find((option) => (option as z.ZodType).safeParse(value).success);
      return branch === undefined ? (value as JsonValue) : plain(branch, value);
    }
    default:
      return value as JsonValue;
  }
}

/** An optional flag that is off and an optional list of CPUs without one mean what leaving them out means. */
function saysNothing(schema: Schema, value: unknown): boolean {
  if (value === false) return true;
  const { def } = (schema as z.core.$ZodTypes)["_zod"];
  if (def.type !== "array" || !Array.isArray(value) || value.length > 0) return false;
  return (def.element as z.core.$ZodTypes)["_zod"].def.type === "number";
}
