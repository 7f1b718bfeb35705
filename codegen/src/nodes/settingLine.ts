import type { SettingSchema } from "../model/settings/index.js";

/** A setting as a line of a list: what it is for, and which values it takes. */
export const settingLine = (key: string, schema: SettingSchema, required: boolean): string =>
  `- \`${key}\`: ${schema.description ?? ""}${range(schema, required)}`;

function range(
  { minimum, maximum, unit, enum: values, default: standard, when = {} }: SettingSchema,
  required: boolean,
): string {
  const counts = Object.entries(when).map(([key, value]) => `\`${key}\` is \`${String(value)}\``);
  const where = counts.length === 0 ? [] : [`where ${counts.join(" and ")}`];
  const parts = [
    values === undefined ? "" : values.map((value) => `\`${value}\``).join(", "),
    minimum === undefined || maximum === undefined
      ? ""
      : `${minimum} to ${maximum}${unit === undefined ? "" : ` ${unit}`}`,
    required && standard === undefined ? ["required", ...where].join(" ") : "",
    standard === undefined || standard === "" || JSON.stringify(standard) === "{}"
      ? ""
      : `default \`${typeof standard === "string" ? standard : JSON.stringify(standard)}\``,
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}
