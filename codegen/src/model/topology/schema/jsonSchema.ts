import { z } from "zod";
import { keyText } from "./keyTexts.js";
import { isJsonObject } from "../../json/index.js";
import { STANDARD_SOURCES } from "../../sources/index.js";
import { topologySchema } from "./schema.js";
import { sourceSchema, standardShape } from "./source.js";

/** The JSON Schema (draft 2020-12) of `topology.json`, for editors and other tools. */
export function jsonSchema(): object {
  const schema: unknown = z.toJSONSchema(topologySchema, {
    io: "input",
    target: "draft-2020-12",
    override: ({ zodSchema, jsonSchema: made }) => {
      if (zodSchema !== (sourceSchema as unknown)) return;
      for (const key of Object.keys(made)) delete (made as Record<string, unknown>)[key];
      made.anyOf = sources();
    },
  });
  describe(schema, []);
  return {
    $id: "urn:penstock:topology:1",
    title: "Penstock topology, format version 1",
    ...(schema as object),
  };
}

/** A source of each kind as its manifest has it, and one of a project's own, of which nothing is known here. */
function sources(): z.core.JSONSchema.JSONSchema[] {
  const standard = [...STANDARD_SOURCES.values()].map(({ kind, doc, settings }) => {
    const made = z.toJSONSchema(standardShape(kind)!, { io: "input", target: "draft-2020-12" });
    for (const [key, { description, minimum, maximum }] of Object.entries(settings.properties)) {
      const property = made.properties?.[key];
      if (typeof property !== "object") continue;
      if (description !== undefined) property.description = description;
      if (minimum !== undefined) property.minimum = minimum;
      if (maximum !== undefined) property.maximum = maximum;
    }
    const { $schema: _, ...bare } = made;
    return { description: doc, ...bare };
  });
  const kinds = [...STANDARD_SOURCES.keys()];
  const own: z.core.JSONSchema.JSONSchema = {
    description: "A source of the project's own, from its folder sources/.",
    type: "object",
    properties: { kind: { type: "string", not: { enum: kinds } } },
    required: ["kind"],
  };
  return [...standard, own];
}

/** Adds the texts of keys, in place. */
function describe(schema: unknown, path: readonly string[]): void {
  if (!isJsonObject(schema)) return;
  const text = keyText(path);
  if (text !== undefined) schema["description"] = text;
  const { properties, items, additionalProperties, anyOf, oneOf } = schema;
  if (isJsonObject(properties))
    for (const [key, inner] of Object.entries(properties)) describe(inner, [...path, key]);
  describe(items, [...path, "*"]);
  describe(additionalProperties, [...path, "*"]);
  for (const branches of [anyOf, oneOf])
    if (Array.isArray(branches)) for (const branch of branches) describeInside(branch, path);
}

/** The branches of a choice share the text of the key; only what is inside of them is described. */
function describeInside(schema: unknown, path: readonly string[]): void {
  const own = isJsonObject(schema) ? schema["description"] : undefined;
  describe(schema, path);
  if (!isJsonObject(schema)) return;
  delete schema["description"];
  if (own !== undefined) schema["description"] = own;
}
