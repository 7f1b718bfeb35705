import { FAILURE_MESSAGE, GREATEST_INT32, LEAST_INT32, protoJsonName } from "../../model/topology/index.js";
import type { EnumPlan, FieldPlan, MessagePlan, ProjectPlan } from "../../plan/index.js";
import { markdownText } from "../escape/besideCpp.js";

/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  contentEncoding?: string;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  not?: Schema;
  required?: readonly string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  propertyNames?: Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
}

type Field = Pick<
  FieldPlan,
  "jsonName" | "doc" | "type" | "key" | "isRepeated" | "isOptional" | "length" | "oneof"
>;
/** Of a scalar: what it is in proto3's JSON, and what it is where it is left out. */
interface Scalar {
  schema: Schema;
  start: unknown;
}

const whole = (format: string, minimum: number, maximum: number): Scalar => ({
  schema: { type: "integer", format, minimum, maximum },
  start: 0,
});
/** JavaScript's numbers are too short for them: proto3 writes them as texts. */
const long = (format: string, pattern: string): Scalar => ({
  schema: { type: "string", format, pattern },
  start: "0",
});
const real = (format: string): Scalar => ({
  schema: { anyOf: [{ type: "number", format }, { enum: ["NaN", "Infinity", "-Infinity"] }] },
  start: 0,
});
const BASE64: Scalar = { schema: { type: "string", contentEncoding: "base64" }, start: "" };
const SCALARS: Readonly<Record<string, Scalar>> = {
  bool: { schema: { type: "boolean" }, start: false },
  int32: whole("int32", LEAST_INT32, GREATEST_INT32),
  uint32: whole("uint32", 0, 4294967295),
  int64: long("int64", "^-?[0-9]{1,19}$"),
  uint64: long("uint64", "^[0-9]{1,20}$"),
  float: real("float"),
  double: real("double"),
  string: { schema: { type: "string" }, start: "" },
  bytes: BASE64,
  buffer: BASE64,
};

/** A name of an object is a text, whatever the key of its map is. */
function keySchema(key: string): { propertyNames?: Schema } {
  if (key === "string") return {};
  if (key === "bool") return { propertyNames: { enum: ["true", "false"] } };
  const sign = /^u|^fixed/.test(key) ? "" : "-?";
  return { propertyNames: { pattern: `^${sign}[0-9]{1,20}$` } };
}

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** The built-in message as a plan would say it. */
const FAILURE: Pick<MessagePlan, "name" | "doc"> & { fields: Field[] } = {
  name: FAILURE_MESSAGE.name,
  doc: "What went wrong in a flow, and where.",
  fields: FAILURE_MESSAGE.fields.map(({ name, type }) => ({
    jsonName: protoJsonName(name),
    doc: "",
    type,
    key: "",
    isRepeated: false,
    isOptional: false,
    length: 0,
    oneof: "",
  })),
};

/** By name, in the order in which they are met, these messages and all that they hold. */
export function schemasOf(plan: Pick<ProjectPlan, "messages" | "enums">, roots: readonly string[]) {
  const messages = new Map([FAILURE, ...plan.messages].map((message) => [message.name, message]));
  const enums = new Map(plan.enums.map((item) => [item.name, item]));
  const found = new Map<string, Schema>();
  const work = [...roots];
  for (let name = work.shift(); name !== undefined; name = work.shift()) {
    if (found.has(name)) continue;
    const message = messages.get(name);
    const item = enums.get(name);
    if (item !== undefined) found.set(name, enumSchema(item));
    if (message === undefined) continue;
    found.set(name, messageSchema(message.doc, message.fields, enums));
    work.push(...message.fields.map(({ type }) => type));
  }
  return Object.fromEntries(found);
}

/** Numbers that it does not know are kept, and given as numbers. */
function enumSchema({ doc, values }: EnumPlan): Schema {
  const words = values.flatMap((value) => (value.doc === "" ? [] : [`${value.protoName}: ${value.doc}`]));
  return {
    ...described([doc, ...words].filter(Boolean).join("\n")),
    anyOf: [
      { type: "string", enum: values.map(({ protoName }) => protoName) },
      { type: "integer", format: "int32" },
    ],
  };
}

/** Unknown names are ignored, so nothing is said of them. */
function messageSchema(doc: string, fields: readonly Field[], enums: ReadonlyMap<string, EnumPlan>): Schema {
  const arrays = fields.filter(({ length }) => length > 0).map(({ jsonName }) => jsonName);
  const choices = [...new Set(fields.map(({ oneof }) => oneof))].filter((name) => name !== "");
  const atMostOne = choices.flatMap((name) => {
    const members = fields
      .filter(({ oneof }) => oneof === name)
      .map(({ jsonName }) => ({ required: [jsonName] }));
    return members.length < 2 ? [] : [{ oneOf: [...members, { not: { anyOf: members } }] }];
  });
  return {
    type: "object",
    ...described(doc),
    ...(fields.length > 0 && {
      properties: Object.fromEntries(fields.map((field) => [field.jsonName, fieldSchema(field, enums)])),
    }),
    ...(arrays.length > 0 && { required: arrays }),
    ...(atMostOne.length > 0 && { allOf: atMostOne }),
  };
}

/** `default` is what a field is that is left out; an optional one is nothing then. */
function fieldSchema(field: Field, enums: ReadonlyMap<string, EnumPlan>): Schema {
  const { type, key, isRepeated, isOptional, length } = field;
  const scalar = SCALARS[type];
  const value = scalar?.schema ?? refTo(type);
  const start = scalar?.start ?? enums.get(type)?.values[0]?.protoName ?? {};
  const words = described(field.doc);
  if (key !== "")
    return { type: "object", ...keySchema(key), additionalProperties: value, default: {}, ...words };
  if (length > 0) return { type: "array", items: value, minItems: length, maxItems: length, ...words };
  if (isRepeated) return { type: "array", items: value, default: [], ...words };
  return { ...value, ...(!isOptional && { default: start }), ...words };
}

/** A text of the user's: what reads a description takes it for Markdown. */
export const described = (doc: string): { description?: string } =>
  doc.trim() === "" ? {} : { description: markdownText(doc) };
