import { z } from "zod";

// Without functions that zod makes for each shape: what is read once is read in half the time. The designer, whose content
// security policy forbids even the attempt, has said so before (designer/src/early.ts): shapes made before this file try.
z.config({ jitless: true });

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
  /** `http://host/prefix`, to which a path is added. */
  "base-url",
  /** `package.Service/Method` */
  "rpc-method",
  "multiline",
  /** An object that says how the value of a field is made, as in the `event` of a rate source. */
  "generator",
  /** A number of events a second at most, 0: none; it can change while the binary runs. Of a source, as `perSecond`. */
  "rate",
  /** A path to which requests are sent: `/orders`. */
  "http-path",
  /** The environment variable of a binary that holds what never stands in the drawing; empty: none. Of a node, not within another setting. */
  "environment-variable",
] as const;
export type SettingFormat = (typeof SETTING_FORMATS)[number];

/** Of a text whose setting says no other bound, in UTF-16 code units; the runtime's `SourceReader` has the same. */
export const LONGEST_TEXT = 10_000;

/** The part of JSON Schema (draft 2020-12) that settings are described with. */
export interface SettingSchema {
  type: "string" | "integer" | "number" | "boolean" | "array" | "object";
  title?: string | undefined;
  description?: string | undefined;
  /** Of a number, as it is written behind it. */
  unit?: string | undefined;
  default?: unknown;
  /** What a new one begins with, where it has no default. */
  initial?: unknown;
  enum?: string[] | undefined;
  /** Words for the values of `enum`, where they do not speak for themselves. */
  labels?: Record<string, string> | undefined;
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
  /** Of a standard source: the code of what is wrong with its value, where it has one of its own. */
  code?: string | undefined;
  /** It counts, and is required, only where these settings beside it have these values. */
  when?: Record<string, string> | undefined;
}

/** A text for people. */
export const text = z.string().min(1).max(2000);

export const settingSchema: z.ZodType<SettingSchema> = z.lazy(() =>
  z.strictObject({
    type: z.enum(["string", "integer", "number", "boolean", "array", "object"]),
    title: text.optional(),
    description: text.optional(),
    unit: z.string().min(1).max(12).optional(),
    default: z.unknown().optional(),
    initial: z.unknown().optional(),
    enum: z.array(text).min(1).optional(),
    labels: z.record(z.string(), text).optional(),
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
    code: text.optional(),
    when: z.record(z.string(), z.string()).optional(),
  }),
);

/** The settings of a manifest by their keys. */
export const settingsSchema = z.strictObject({
  type: z.literal("object"),
  properties: z.record(
    z.string().regex(/^[a-z][A-Za-z0-9]*$/, "use letters and digits, beginning with a lower-case letter"),
    settingSchema,
  ),
  required: z.array(z.string()).default([]),
});
export type Settings = z.infer<typeof settingsSchema>;

const cmakeName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, "use letters, digits, _ and -, beginning with a letter");

/** CMake packages that the generated code needs, with the target to link. */
export const cmakeSchema = z.array(
  z.strictObject({
    package: cmakeName,
    /** A part of the package. */
    component: cmakeName.optional(),
    target: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_:+-]*$/, "use letters, digits, _, :, + and -, beginning with a letter"),
    /** Debian packages without which what is built does not start: the project's Dockerfile installs them. */
    runtime: z
      .array(z.string().regex(/^[a-z0-9][a-z0-9+.-]+$/, "use the name of a Debian package"))
      .optional(),
    /** Only where these settings have these values. */
    when: z.record(z.string(), z.string()).optional(),
  }),
);

/** A field that a message must have, of one of these types. */
export const portFieldSchema = z.strictObject({ name: text, types: z.array(text).min(1) });
