import { z } from "zod";
import { cmakeSchema, portFieldSchema, settingsSchema, text } from "../settings/index.js";

/**
 * What a kind of source is: where its events come from, and its settings as JSON Schema. From it come the check of
 * a drawing, the form and the palette of the designer, the configuration of a binary and the page of docs.
 * `source.json` of a folder in `templates/sources/<kind>/`, or in `sources/<kind>/` of a project.
 */
export const sourceManifestSchema = z.strictObject({
  kind: z
    .string()
    .regex(
      /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
      "use lower-case letters and digits with single - between, beginning with a letter",
    )
    .max(64),
  title: text,
  doc: text,
  /** A few words, for a palette. */
  hint: text,
  /** One of the designer's pictures (docs/nodes.md); without one that it has it is a radio. */
  icon: text.optional(),
  /**
   * How an event comes about. made: by the flow's own C++, or by a setting that says how each field is made; json:
   * read from a text; pushed: by handlers; class: by the class of the project's own source.
   */
  events: z.enum(["made", "json", "pushed", "class"]).default("class"),
  /** Fields that its event must have. */
  event: z.strictObject({ fields: z.array(portFieldSchema) }).optional(),
  /** Two binaries that serve the flow would make every event twice. */
  repeats: z.boolean().optional(),
  /** In the order in which they are printed. */
  settings: settingsSchema,
  /** CMake packages that its class needs, with the target to link. */
  cmake: cmakeSchema.optional(),
});
export type SourceManifest = z.infer<typeof sourceManifestSchema>;

/** The manifests that a project may use, by kind. */
export type SourcePalette = ReadonlyMap<string, SourceManifest>;

/** The setting that is a number of events a second, which can change while the binary runs. */
export const RATE_SETTING = "perSecond";

/** Whether it keeps a rate: `must` say one, `may` say one, or does `not`. */
export const keepsRate = ({ settings }: SourceManifest): "must" | "may" | "not" => {
  if (!Object.hasOwn(settings.properties, RATE_SETTING)) return "not";
  return settings.required.includes(RATE_SETTING) ? "must" : "may";
};

/** A new one: what it must have, with what that begins with. */
export function freshSource({ kind, settings }: SourceManifest): { kind: string; [key: string]: unknown } {
  const first = settings.required.map((key) => {
    const {
      initial,
      default: standard,
      type,
      minimum,
      enum: values,
    } = settings.properties[key] ?? { type: "string" };
    const plain = { integer: minimum ?? 0, number: minimum ?? 0, boolean: false, array: [], object: {} };
    return [key, initial ?? standard ?? (type === "string" ? (values?.[0] ?? "") : plain[type])];
  });
  return { kind, ...(Object.fromEntries(first) as Record<string, unknown>) };
}
