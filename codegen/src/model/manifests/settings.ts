import type { Settings, SettingSchema } from "../settings/index.js";
import type { Service, ServiceKind } from "../topology/index.js";
import type { NodeManifest } from "./manifest.js";

/** Settings by key; values are JSON. */
export type NodeSettings = Readonly<Record<string, unknown>>;

/** The settings with every default filled in, in place of what does not count, too; a setting without one stays away. */
export function settingsWithDefaults(
  manifest: { settings: Settings },
  settings: NodeSettings,
): Record<string, unknown> {
  const { properties } = manifest.settings;
  const filled: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(properties)) {
    const isGiven = Object.hasOwn(settings, key) && counts(schema, properties, settings);
    const value = isGiven ? settings[key] : schema.default;
    if (value !== undefined) filled[key] = withDefaults(schema, value);
  }
  return filled;
}

/** Whether a setting counts beside these ones. */
export const counts = (
  { when = {} }: SettingSchema,
  properties: Readonly<Record<string, SettingSchema>>,
  settings: NodeSettings,
): boolean =>
  Object.entries(when).every(([key, value]) => {
    const given = Object.hasOwn(settings, key) ? settings[key] : properties[key]?.default;
    return given === value;
  });

/** Whether a text is "" or a name that containers can give a variable of the environment. */
export const isVariable = (name: string): boolean => /^(?:[A-Za-z_][A-Za-z0-9_.-]*)?$/.test(name);

/** The environment variables that these settings name. */
export function environmentOf(
  { settings: { properties } }: { settings: Settings },
  given: NodeSettings,
): string[] {
  const named = Object.entries(properties).filter(
    ([, schema]) => schema.format === "environment-variable" && counts(schema, properties, given),
  );
  return named.flatMap(([key, schema]) => {
    const value = Object.hasOwn(given, key) ? given[key] : schema.default;
    return typeof value === "string" && value !== "" ? [value] : [];
  });
}

function withDefaults(schema: SettingSchema, value: unknown): unknown {
  if (schema.type === "array" && schema.items !== undefined && Array.isArray(value))
    return value.map((item) => withDefaults(schema.items as SettingSchema, item));
  const isOpen = schema.properties === undefined && schema.additionalProperties === undefined;
  if (schema.type !== "object" || isOpen || typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const inner = schema.additionalProperties;
  if (inner !== undefined)
    return Object.fromEntries(entries.map(([key, item]) => [key, withDefaults(inner, item)]));
  const { properties = {} } = schema;
  const given = new Map(entries);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, property]) => {
      const isGiven = counts(property, properties, value as NodeSettings);
      const item = (isGiven ? given.get(key) : undefined) ?? property.default;
      return item === undefined ? [] : [[key, withDefaults(property, item)]];
    }),
  );
}

/** The kind that a service must have to be this node with these settings. */
export function kindOfNode(manifest: NodeManifest, settings: NodeSettings): ServiceKind {
  if (typeof manifest.kind === "string") return manifest.kind;
  const value = settingsWithDefaults(manifest, settings)[manifest.kind.setting];
  const kind = Object.hasOwn(manifest.kind.of, String(value)) ? manifest.kind.of[String(value)] : undefined;
  return kind ?? (Object.values(manifest.kind.of)[0] as ServiceKind);
}

/** Whether its handler is generated, so that the user writes none. */
export const isNode = (service: Pick<Service, "node">): boolean => service.node !== undefined;
