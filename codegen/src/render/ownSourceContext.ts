import type { OwnSourcePlan, SourceSettingPlan } from "../plan/index.js";
import { cppString } from "./escape/cpp.js";

const TYPES: Record<SourceSettingPlan["type"], string> = {
  text: "std::string",
  integer: "std::int64_t",
  number: "double",
  flag: "bool",
  choice: "std::string",
  rate: "double",
};

/** What the header of the settings of a project's own source reads. */
export const ownSourceContext = (project: string, { settings, ...own }: OwnSourcePlan): object => ({
  ...own,
  space: `${project}::${own.space}`,
  kind: cppString(own.kind),
  hasSettings: settings.length > 0,
  hasRate: settings.some(({ type }) => type === "rate"),
  members: settings.map((setting) => ({ doc: setting.doc, declaration: declaration(setting) })),
  reads: settings.map(reading),
});

function declaration({ name, type, isRequired, standard }: SourceSettingPlan): string {
  // A rate that is not drawn is none: as many as come.
  const isOptional = type === "rate" || (standard === undefined && !isRequired);
  const cppType = isOptional ? `std::optional<${TYPES[type]}>` : TYPES[type];
  if (standard !== undefined) return `${cppType} ${name} = ${literal(standard, type)};`;
  return `${cppType} ${name}${isOptional || type === "text" || type === "choice" ? "" : "{}"};`;
}

/** The statement that reads it into `settings`. */
function reading(setting: SourceSettingPlan): string {
  const { name, type, isRequired, choices, unit } = setting;
  const key = cppString(name);
  const required = String(isRequired);
  const range = `${bound(setting, "low")}, ${bound(setting, "high")}`;
  const calls: Record<SourceSettingPlan["type"], string> = {
    text: `text(${key}, ${setting.shortest}, ${setting.longest}, ${required})`,
    integer: `integer(${key}, ${range}, ${cppString(unit === "" ? "units" : unit)}, ${required})`,
    number: `number(${key}, ${range}, ${required})`,
    flag: `flag(${key}, ${required})`,
    choice: `choice(${key}, {${choices.map((choice) => cppString(choice)).join(", ")}}, ${required})`,
    rate: `rate(${key}, ${required})`,
  };
  const names = `std::array{${choices.map((choice) => `std::string_view(${cppString(choice)})`).join(", ")}}`;
  const value = type === "choice" ? `${names}.at(*read)` : "*read";
  return `  if (const auto read = in.${calls[type]}) {\n    settings.${name} = ${value};\n  }`;
}

/** A bound of a number as a literal of its type. */
function bound({ type, low, high }: SourceSettingPlan, side: "low" | "high"): string {
  const most = type === "integer" ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE;
  const value = side === "low" ? (low ?? -most) : (high ?? most);
  return literal(type === "integer" ? Math.trunc(value) : value, type);
}

function literal(value: string | number | boolean, type: SourceSettingPlan["type"]): string {
  if (typeof value === "string") return cppString(value);
  const text = String(value);
  // A whole number may be longer than any integer of C++.
  return typeof value === "number" && type !== "integer" && /^-?\d+$/.test(text) ? `${text}.0` : text;
}
