import { LONGEST_TEXT, type SettingSchema } from "../model/settings/index.js";
import { STANDARD_SOURCES, type SourceManifest, type SourcePalette } from "../model/sources/index.js";
import { type Topology } from "../model/topology/index.js";
import type { FlowPlan, OwnSourcePlan, SourceSettingPlan } from "./projectPlan.js";

const wordOf = (kind: string): string => kind.replaceAll("-", "_");

/** Where the class of a project's own source is, for the flows that have one. */
export const ownSourceOf = (kind: string, project: string): NonNullable<FlowPlan["own"]> => ({
  type: `::${project}::sources::${wordOf(kind)}`,
  header: `sources/${wordOf(kind)}.hpp`,
  source: `sources/${kind}/source.hpp`,
});

/** The project's own sources that its flows have; their manifests are in the palette (validation comes first). */
export function planOwnSources({ flows, name }: Topology, sources: SourcePalette): OwnSourcePlan[] {
  const kinds = [...new Set(flows.map(({ source }) => source.kind))].sort();
  return kinds.flatMap((kind) => {
    const manifest = STANDARD_SOURCES.has(kind) ? undefined : sources.get(kind);
    return manifest === undefined ? [] : [planOwnSource(manifest, name)];
  });
}

function planOwnSource({ kind, title, doc, settings }: SourceManifest, project: string): OwnSourcePlan {
  const { header, source } = ownSourceOf(kind, project);
  return {
    kind,
    title,
    doc,
    space: `sources::${wordOf(kind)}`,
    header,
    source,
    settings: Object.entries(settings.properties).map(([key, setting]) =>
      planSetting(key, setting, settings.required.includes(key)),
    ),
  };
}

const planSetting = (name: string, setting: SettingSchema, isRequired: boolean): SourceSettingPlan => ({
  name,
  doc: setting.description ?? "",
  type: typeOf(setting),
  isRequired,
  standard: setting.default as SourceSettingPlan["standard"],
  low: setting.minimum,
  high: setting.maximum,
  shortest: setting.minLength ?? 0,
  longest: setting.maxLength ?? LONGEST_TEXT,
  unit: setting.unit ?? "",
  choices: setting.enum ?? [],
});

function typeOf({ type, format, enum: values }: SettingSchema): SourceSettingPlan["type"] {
  if (format === "rate") return "rate";
  if (values !== undefined) return "choice";
  if (type === "integer" || type === "number") return type;
  return type === "boolean" ? "flag" : "text";
}
