import { z } from "zod";
import { keyText } from "./keyTexts.js";
import { isJsonObject } from "../json/index.js";
import { topologySchema } from "./schema.js";

/** The JSON Schema (draft 2020-12) of `topology.json`, for editors and other tools. */
export function jsonSchema(): object {
  const schema: unknown = z.toJSONSchema(topologySchema, { io: "input", target: "draft-2020-12" });
  describe(schema, []);
  return {
    $id: "urn:penstock:topology:1",
    title: "Penstock topology, format version 1",
    ...(schema as object),
  };
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
  describe(schema, path);
  if (isJsonObject(schema)) delete schema["description"];
}
