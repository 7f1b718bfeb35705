import type { SourceManifest } from "@penstock/codegen/sources";
import type { PaletteItem } from "../drawing/edits/palette.js";
import { sourceIcons } from "../kernel/ui/icons/iconKind.js";
import type { IconKind } from "../kernel/ui/index.js";

/** One thing that can be drawn, with its key. */
export interface PaletteEntry {
  label: string;
  icon: IconKind;
  key?: string;
  hint: string;
  add: Exclude<PaletteItem, { item: "node" }>;
}

const SERVICES: readonly PaletteEntry[] = [
  {
    label: "Simple service",
    icon: "simple",
    key: "S",
    hint: "Thread-safe; may run in parallel",
    add: { item: "service", kind: "simple" },
  },
  {
    label: "Single-threaded",
    icon: "single-threaded",
    key: "L",
    hint: "Never two at once",
    add: { item: "service", kind: "single-threaded" },
  },
  {
    label: "Sync remote",
    icon: "sync-remote",
    key: "R",
    hint: "Blocks its thread on I/O",
    add: { item: "service", kind: "sync-remote" },
  },
  {
    label: "Async remote",
    icon: "async-remote",
    key: "A",
    hint: "Starts an operation, continues later",
    add: { item: "service", kind: "async-remote" },
  },
];

/** Keys of sources that are drawn often. */
const SOURCE_KEYS: ReadonlyMap<string, string> = new Map([["rate", "T"]]);

/** The palette, in its order: services, then the sources that there are. */
export const paletteOf = (sources: readonly SourceManifest[]): readonly PaletteEntry[] => {
  const sourceIcon = sourceIcons(sources);
  return [
    ...SERVICES,
    ...sources.map(({ kind, title, hint }): PaletteEntry => {
      const key = SOURCE_KEYS.get(kind);
      return {
        label: `${title} source`,
        icon: sourceIcon(kind),
        ...(key === undefined ? {} : { key }),
        hint,
        add: { item: "source", kind },
      };
    }),
  ];
};
