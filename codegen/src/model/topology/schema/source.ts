import { z } from "zod";
import { RATE_SETTING, STANDARD_SOURCES, type SourceManifest } from "../../sources/index.js";
import type { SettingSchema } from "../../settings/index.js";

/**
 * Where the events of a flow come from: its kind, and the settings that the manifest of that kind has. The shape of a
 * standard one is known here; that of a project's own is checked by the rules, which are given its manifest.
 */
export interface Source {
  kind: string;
  [setting: string]: unknown;
}

/** The shapes of the standard sources, made of their manifests. */
const STANDARD_SHAPES: ReadonlyMap<string, z.ZodObject> = new Map(
  [...STANDARD_SOURCES].map(([kind, manifest]) => [kind, shapeOf(manifest)]),
);

function shapeOf({ kind, settings }: SourceManifest): z.ZodObject {
  const keys = Object.entries(settings.properties).map(([key, setting]) => {
    const shape = settingShape(setting);
    return [key, settings.required.includes(key) ? shape : shape.optional()];
  });
  return z.strictObject({ kind: z.literal(kind), ...(Object.fromEntries(keys) as z.ZodRawShape) });
}

/** Shapes alone: ranges and forms are for the rules, which say more about them. */
function settingShape({ type, enum: values }: SettingSchema): z.ZodType {
  switch (type) {
    case "string":
      return values === undefined ? z.string() : z.enum(values);
    case "integer":
      return z.int();
    case "number":
      return z.number();
    case "boolean":
      return z.boolean();
    case "array":
      return z.array(z.unknown());
    case "object":
      return z.record(z.string(), z.unknown());
  }
}

/** The shape of a standard source; undefined for another one. */
export const standardShape = (kind: string): z.ZodObject | undefined => STANDARD_SHAPES.get(kind);

export const sourceSchema: z.ZodType<Source> = z.looseObject({ kind: z.string() }).check((context) => {
  const found = standardShape(context.value.kind)?.safeParse(context.value);
  for (const issue of found?.error?.issues ?? [])
    context.issues.push({ ...issue, input: context.value } as (typeof context.issues)[number]);
});

/** The events a second that are drawn; undefined: as many as come, or its kind keeps no rate. */
export function rateOf(source: Source): number | undefined {
  const rate = source[RATE_SETTING];
  return typeof rate === "number" ? rate : undefined;
}

/** How a `rate` source makes the fields of its events; undefined: by the user's C++, or it makes none. */
export function madeFields(source: Source): Readonly<Record<string, unknown>> | undefined {
  const event = STANDARD_SOURCES.get(source.kind)?.events === "made" ? source["event"] : undefined;
  return event as Readonly<Record<string, unknown>> | undefined;
}

/** Whether its events are made by the flow itself, at a rate: by the user's C++, or by settings. */
export const makesEvents = ({ kind }: Source): boolean => STANDARD_SOURCES.get(kind)?.events === "made";

/** The text of a setting; "" where it has none. */
export function sourceText(source: Source, key: string): string {
  const value = source[key];
  return typeof value === "string" ? value : "";
}
