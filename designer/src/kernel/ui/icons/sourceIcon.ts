import { STANDARD_SOURCES, type SourceManifest } from "@penstock/codegen/sources";
import type { SourceIcon } from "./kindColor.js";

/** What stands for a kind of source. */
export type SourceIcons = (kind: string) => SourceIcon;

/** By the manifests of those that there are. */
export const sourceIcons = (sources: Iterable<Pick<SourceManifest, "kind" | "icon">>): SourceIcons => {
  const icons = new Map([...sources].map(({ kind, icon }) => [kind, icon]));
  return (kind) => `source:${icons.get(kind) ?? ""}`;
};

/** Of the standard ones alone. */
export const standardSourceIcon: SourceIcons = sourceIcons(STANDARD_SOURCES.values());
