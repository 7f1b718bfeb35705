import { STANDARD_SOURCES, type SourceManifest } from "@penstock/codegen/sources";

const COLORS = {
  simple: "var(--pool-1)",
  "single-threaded": "var(--pool-6)",
  "sync-remote": "var(--pool-2)",
  "async-remote": "var(--pool-3)",
  "side-effect": "var(--text-2)",
  catch: "var(--bad)",
  bundle: "var(--text-2)",
  binary: "var(--text-2)",
  pool: "var(--text-2)",
  message: "var(--pool-5)",
  enum: "var(--pool-4)",
};

/** Of a source, with the name of the picture that its manifest has. */
export type SourceIcon = `source:${string}`;
export type IconKind = keyof typeof COLORS | SourceIcon;

export const isSourceIcon = (kind: IconKind): kind is SourceIcon => kind.startsWith("source:");

/** CSS colour of a kind, the same on tile, icon and minimap. */
export const kindColor = (kind: IconKind): string => (isSourceIcon(kind) ? "var(--accent)" : COLORS[kind]);

/** What stands for a kind of source. */
export type SourceIcons = (kind: string) => SourceIcon;

/** By the manifests of those that there are. */
export const sourceIcons = (sources: Iterable<Pick<SourceManifest, "kind" | "icon">>): SourceIcons => {
  const icons = new Map([...sources].map(({ kind, icon }) => [kind, icon]));
  return (kind) => `source:${icons.get(kind) ?? ""}`;
};

/** Of the standard ones alone. */
export const standardSourceIcon: SourceIcons = sourceIcons(STANDARD_SOURCES.values());
