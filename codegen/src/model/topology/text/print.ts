import { z } from "zod";
import { formatJson, type JsonObject, type JsonValue } from "../../json/index.js";
import { topologySchema, type Topology } from "../schema/schema.js";
import { sourceSchema, standardShape, type Source } from "../schema/source.js";

type Schema = z.core.$ZodType;

/**
 * The text of `topology.json`: keys in the order of the schema, maps sorted by key, lists in the
 * user's order, defaults left out. Equal topologies give equal bytes on every machine, and
 * `printTopology(parseTopology(text).topology)` of a printed text gives the text again.
 */
export const printTopology = (topology: Topology): string =>
  formatJson(plain(topologySchema, topology) ?? {});

/**
 * `value` as JSON in the order of its schema without its defaults; undefined when nothing is left to say.
 *
 * @param form "short": as it is printed; "long": each thread by itself, so that what a hash is made of stays
 */
export function plain(
  schema: Schema,
  value: unknown,
  form: "short" | "long" = "short",
): JsonValue | undefined {
  if (value === undefined) return undefined;
  if (schema === sourceSchema) return plainSource(value as Source, form);
  const { def } = (schema as z.core.$ZodTypes)["_zod"];
  switch (def.type) {
    case "default": {
      const inner = plain(def.innerType, value, form);
      return JSON.stringify(inner) === JSON.stringify(def.defaultValue) ? undefined : inner;
    }
    case "optional":
      return saysNothing(def.innerType, value) ? undefined : plain(def.innerType, value, form);
    case "object": {
      const object: JsonObject = {};
      for (const [key, inner] of Object.entries(def.shape)) {
        const said = plain(inner, (value as Record<string, unknown>)[key], form);
        if (said !== undefined) object[key] = said;
      }
      return object;
    }
    case "record": {
      const object: JsonObject = {};
      for (const key of Object.keys(value as object).sort())
        object[key] = plain(def.valueType, (value as Record<string, unknown>)[key], form) ?? null;
      return object;
    }
    case "array":
      return (value as unknown[]).map((item) => plain(def.element, item, form) ?? null);
    case "union": {
      const branch = def.options.find((option) => (option as z.ZodType).safeParse(value).success);
      return branch === undefined ? (value as JsonValue) : plain(branch, value, form);
    }
    case "pipe":
      return form === "long"
        ? plain(def.out, value, form)
        : plain(def.in, z.encode(schema as z.ZodType, value), form);
    default:
      return value as JsonValue;
  }
}

/** Keys in the order of the manifest; of a project's own, which is not known here, sorted. */
function plainSource(source: Source, form: "short" | "long"): JsonValue | undefined {
  const shape = standardShape(source.kind);
  if (shape !== undefined) return plain(shape, source, form);
  const { kind, ...settings } = source;
  const object: JsonObject = { kind };
  for (const key of Object.keys(settings).sort()) object[key] = settings[key] as JsonValue;
  return object;
}

/** An optional flag that is off and an optional list of CPUs without one mean what leaving them out means. */
function saysNothing(schema: Schema, value: unknown): boolean {
  const { def } = (schema as z.core.$ZodTypes)["_zod"];
  if (value === false) return def.type === "boolean";
  if (def.type !== "array" || !Array.isArray(value) || value.length > 0) return false;
  return (def.element as z.core.$ZodTypes)["_zod"].def.type === "number";
}
