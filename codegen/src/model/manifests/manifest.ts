import { z } from "zod";
import { SERVICE_KINDS, STAGE_ROLES } from "../topology/index.js";

/**
 * What a kind of standard node is: its ports, its settings as JSON Schema (from which its form is
 * made) and what it needs to be built. `node.json` of a package in `templates/nodes/<type>/`, or in
 * `nodes/<type>/` of a project.
 */

/** What a text of the settings means, where it is more than a text. */
export const SETTING_FORMATS = [
  /** C++ that sees the request as `request`. */
  "cpp-expression",
  "field-of-request",
  "field-of-response",
  /** A value of the only enum field of the response. */
  "enum-value",
  /** A text with fields of the request in braces: `order {id}`. */
  "text",
  "sql",
  "path",
  /** `http://host/path`, with fields of the request in braces behind the host. */
  "url",
  "multiline",
  /** An object that says how the value of a field is made, as in the `event` of a rate source. */
  "generator",
] as const;
export type SettingFormat = (typeof SETTING_FORMATS)[number];

/** The part of JSON Schema (draft 2020-12) that settings are described with. */
export interface SettingSchema {
  type: "string" | "integer" | "number" | "boolean" | "array" | "object";
  title?: string | undefined;
  description?: string | undefined;
  /** Of a number, as it is written behind it. */
  unit?: string | undefined;
  default?: unknown;
  enum?: string[] | undefined;
  format?: SettingFormat | undefined;
  /** Of a `field-of-*`: types it may have (`enum`: any enum, `message`: any message, `list-of-message`: a repeated one, `any`: any field at all); left out: any single scalar or enum. */
  fieldTypes?: string[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  /** Of a list. */
  items?: SettingSchema | undefined;
  /** Of an object with fixed keys. */
  properties?: Record<string, SettingSchema> | undefined;
  required?: string[] | undefined;
  /** Of an object with the user's keys: what each holds, and what the keys are. */
  additionalProperties?: SettingSchema | undefined;
  propertyNames?: { format: SettingFormat; fieldTypes?: string[] | undefined } | undefined;
  /** It counts, and is required, only where these settings beside it have these values. */
  when?: Record<string, string> | undefined;
}

const text = z.string().min(1).max(2000);

const settingSchema: z.ZodType<SettingSchema> = z.lazy(() =>
  z.strictObject({
    type: z.enum(["string", "integer", "number", "boolean", "array", "object"]),
    title: text.optional(),
    description: text.optional(),
    unit: z.string().min(1).max(12).optional(),
    default: z.unknown().optional(),
    enum: z.array(text).min(1).optional(),
    format: z.enum(SETTING_FORMATS).optional(),
    fieldTypes: z.array(text).min(1).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.int().min(0).optional(),
    maxLength: z.int().min(0).optional(),
    minItems: z.int().min(0).optional(),
    maxItems: z.int().min(0).optional(),
    items: settingSchema.optional(),
    properties: z.record(z.string(), settingSchema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: settingSchema.optional(),
    propertyNames: z
      .strictObject({ format: z.enum(SETTING_FORMATS), fieldTypes: z.array(text).min(1).optional() })
      .optional(),
    when: z.record(z.string(), z.string()).optional(),
  }),
);

/** A field that a port must have, of one of these types. */
const portFieldSchema = z.strictObject({ name: text, types: z.array(text).min(1) });
const requestPortSchema = z.strictObject({
  /** `callee`: what the service that it calls takes. */
  is: z.enum(["any", "callee"]),
  fields: z.array(portFieldSchema).optional(),
});
const responsePortSchema = z.strictObject({
  is: z.enum(["any", "none", "request", "callee"]),
  fields: z.array(portFieldSchema).optional(),
  /** `one-enum`: a field by whose value branches are taken; `list-of-request`: one repeated field of requests. */
  needs: z.enum(["one-enum", "list-of-request"]).optional(),
});

const kind = z.enum(SERVICE_KINDS);

export const nodeManifestSchema = z.strictObject({
  type: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, "use lower-case letters, digits and -, beginning with a letter")
    .max(64),
  title: text,
  /** One line. */
  doc: text,
  icon: text,
  category: z.enum(["flow", "time", "data", "calls", "io"]),
  /** The kind that its services have, for all settings or by the value of one. */
  kind: z.union([kind, z.strictObject({ setting: z.string(), of: z.record(z.string(), kind) })]),
  /** Roles of the stages it may hold; the first one is what a designer draws. */
  roles: z.array(z.enum(STAGE_ROLES)).min(1),
  ports: z.strictObject({
    request: requestPortSchema,
    response: responsePortSchema,
    /** How many services it calls. */
    calls: z.int().min(0).max(1),
  }),
  /** It may end an event without failure, so nobody can call it and wait for an answer. */
  flowOnly: z.boolean().optional(),
  /** The handler takes the request for good and may move from it. */
  takesRequest: z.boolean().optional(),
  settings: z.strictObject({
    type: z.literal("object"),
    properties: z.record(
      z.string().regex(/^[a-z][A-Za-z0-9]*$/, "use letters and digits, beginning with a lower-case letter"),
      settingSchema,
    ),
    required: z.array(z.string()).default([]),
  }),
  /** CMake packages that the generated code needs, with the target to link. */
  cmake: z
    .array(
      z.strictObject({
        package: z
          .string()
          .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, "use letters, digits, _ and -, beginning with a letter"),
        /** A part of the package. */
        component: z
          .string()
          .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, "use letters, digits, _ and -, beginning with a letter")
          .optional(),
        target: z
          .string()
          .regex(/^[A-Za-z][A-Za-z0-9_:+-]*$/, "use letters, digits, _, :, + and -, beginning with a letter"),
        /** Only where these settings have these values. */
        when: z.record(z.string(), z.string()).optional(),
      }),
    )
    .optional(),
  /** The generated code writes or reads messages as JSON. */
  json: z.boolean().optional(),
});
export type NodeManifest = z.infer<typeof nodeManifestSchema>;

/** The manifests that a project may use, by type. */
export type NodePalette = ReadonlyMap<string, NodeManifest>;
