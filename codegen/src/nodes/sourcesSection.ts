import type { SourceManifest } from "../model/sources/index.js";
import { settingLine } from "./settingLine.js";
import { standardSources } from "./loadNodes.js";

/** Where the events of flows come from: the part of `docs/nodes.md` about what stands before all nodes. */
export const sourcesSection = (): string =>
  [
    "## Sources",
    "Where the events of a flow come from is no node but its `source`, of one of these kinds or one of the project's own (_Sources of a project_, above). The event of an `http` or `file` source, and one made by settings, is any message but `Failure`. How JSON is read is said in [topology.json](topology.md).",
    ...[...standardSources().values()].flatMap(({ manifest, documentation }) =>
      section(manifest, documentation),
    ),
  ]
    .join("\n\n")
    .concat("\n");

function section({ kind, doc, settings }: SourceManifest, documentation: string): string[] {
  const lines = Object.entries(settings.properties).map(([key, schema]) =>
    settingLine(key, schema, settings.required.includes(key)),
  );
  const keys = lines.length > 0 ? lines.join("\n") : "It has no keys.";
  return [`**\`${kind}\`**: ${doc}`, documentation.trim(), keys].filter((part) => part !== "");
}
