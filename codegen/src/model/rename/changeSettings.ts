import type { SettingFormat, SettingSchema } from "../manifests/index.js";

/** What becomes of the parts of settings that name things of the drawing. */
export interface SettingChange {
  /** A text, or a key, that has a meaning. */
  text: (format: SettingFormat, value: string) => string;
  /** How the value of a field is made. */
  generator: (field: string, value: unknown) => unknown;
}

/** Settings after `change`; the same object when it changes nothing. */
export function changeSettings(schema: SettingSchema, value: unknown, change: SettingChange): unknown {
  if (typeof value === "string") return schema.format ? change.text(schema.format, value) : value;
  const { items, additionalProperties: open, propertyNames, properties } = schema;
  if (Array.isArray(value)) {
    if (items === undefined) return value;
    const next = value.map((item) => changeSettings(items, item, change));
    return next.every((item, at) => item === value[at]) ? value : next;
  }
  if (typeof value !== "object" || value === null) return value;
  return changeEntries(value as Record<string, unknown>, (key, item) => {
    if (open === undefined) {
      const property = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
      return [key, property ? changeSettings(property, item, change) : item];
    }
    const renamed = propertyNames ? change.text(propertyNames.format, key) : key;
    return open.format === "generator"
      ? [renamed, change.generator(key, item)]
      : [renamed, changeSettings(open, item, change)];
  });
}

/** The map with every entry as `change` makes it; the same object when none changes. */
export function changeEntries<T>(
  map: Readonly<Record<string, T>>,
  change: (key: string, value: T) => [key: string, value: T],
): Readonly<Record<string, T>> {
  const old = Object.entries(map);
  const next = old.map(([key, value]) => change(key, value));
  return next.every(([key, value], at) => key === old[at]?.[0] && value === old[at]?.[1])
    ? map
    : Object.fromEntries(next);
}
