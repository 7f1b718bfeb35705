import { quote, quoteList, type Problem } from "../model/diagnostics/index.js";
import type { SettingFormat, SettingSchema } from "../model/settings/index.js";
import { RATE_SETTING, sourceManifestSchema, type SourceManifest } from "../model/sources/index.js";
import { nameFault } from "../model/validate/index.js";
import { PackageReader, type Package, type PackageFolder } from "./readPackage.js";

/** A kind of source; the class of one of the project's own is `sources/<kind>/source.hpp`. */
export type SourcePackage = Package<SourceManifest>;

/** What the settings of a project's own source may be: members of a struct of C++. */
const TYPES: readonly SettingSchema["type"][] = ["string", "integer", "number", "boolean"];
/** What only the settings of nodes have. */
const OF_NODES = [
  "fieldTypes",
  "minItems",
  "maxItems",
  "items",
  "properties",
  "required",
  "additionalProperties",
  "propertyNames",
] as const;
const FORMATS: readonly (SettingFormat | undefined)[] = [undefined, "path", "http-path", "multiline", "rate"];

/** The project's own source in the folder `path` of `folder`, or what is wrong with it. */
export function readSource(folder: PackageFolder, path: string): SourcePackage | Problem[] {
  const reader = new PackageReader(folder, path, "source", "PS711");
  const manifest = reader.manifest("source.json", sourceManifestSchema);
  const { name, problems } = reader;
  if (reader.text("source.hpp") === undefined && problems.length === 0)
    reader.wrong("source.hpp", "has no source.hpp");
  const documentation = reader.text("doc.md") ?? "";
  if (manifest !== undefined)
    for (const fault of faultsOf(manifest, name)) reader.wrong("source.json", fault);
  return manifest === undefined || problems.length > 0 ? problems : { manifest, documentation, own: true };
}

/** What a manifest of the right shape still has wrong: names and settings that its C++ could not have. */
function faultsOf({ kind, events, settings }: SourceManifest, folder: string): string[] {
  const faults: string[] = [];
  if (kind !== folder) faults.push(`says in its manifest that its kind is ${quote(kind)}`);
  // It becomes a namespace.
  const named = nameFault("project", kind.replaceAll("-", "_"));
  if (named !== undefined) faults.push(`has a name that C++ cannot have: ${named.message}`);
  if (events !== "class")
    faults.push(`has events of the kind ${quote(events)}, which only standard sources have`);
  for (const key of settings.required)
    if (!Object.hasOwn(settings.properties, key)) faults.push(`requires ${quote(key)}, which is no setting`);
  for (const [key, setting] of Object.entries(settings.properties)) {
    const fault = settingFault(key, setting);
    if (fault !== undefined) faults.push(`has a setting ${quote(key)} that ${fault}`);
  }
  return faults;
}

function settingFault(key: string, setting: SettingSchema): string | undefined {
  const { type, format, enum: values, default: standard, code, when, minimum, maximum } = setting;
  const named = nameFault("field", key);
  if (named !== undefined) return `C++ cannot have: ${named.message}`;
  if (key === "kind") return "is the source's kind already";
  if (!TYPES.includes(type)) return `is of the type ${quote(type)}, not one of ${quoteList(TYPES)}`;
  if (!FORMATS.includes(format)) return `has the format ${quote(format ?? "")}, which is for nodes`;
  const strange = OF_NODES.find((word) => setting[word] !== undefined);
  if (strange !== undefined) return `has ${quote(strange)}, which is for nodes`;
  if (
    type === "integer" &&
    ![minimum, maximum].every((bound) => bound === undefined || Number.isSafeInteger(bound))
  )
    return "is an integer with a bound that is none";
  if (code !== undefined || when !== undefined) return "has a key that only standard sources and nodes have";
  if ((key === RATE_SETTING) !== (format === "rate"))
    return `is a rate by its name or by its format: a rate has the format "rate" and is called ${quote(RATE_SETTING)}`;
  if (format === "rate" && type !== "number") return "is a rate, and no number";
  if (values !== undefined && type !== "string") return "has a list of values, and is no text";
  return standard === undefined || isOfSetting(setting, standard)
    ? undefined
    : "has a default that it does not allow";
}

function isOfSetting(setting: SettingSchema, value: unknown): boolean {
  const { type, enum: values, minimum, maximum, minLength = 0, maxLength = Infinity } = setting;
  if (type === "string")
    return (
      typeof value === "string" &&
      (values?.includes(value) ?? true) &&
      value.length >= minLength &&
      value.length <= maxLength
    );
  if (type === "boolean") return typeof value === "boolean";
  const isNumber = type === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
  return (
    isNumber && (value as number) >= (minimum ?? -Infinity) && (value as number) <= (maximum ?? Infinity)
  );
}
