import type { PaletteItem } from "../drawing/edits/palette.js";
import type { IconKind } from "../kernel/ui/index.js";

/** One thing that can be drawn, with its key. */
export interface PaletteEntry {
  label: string;
  icon: IconKind;
  key?: string;
  hint: string;
  add: Exclude<PaletteItem, { item: "node" }>;
}

/** The palette, in its order. */
export const PALETTE: readonly PaletteEntry[] = [
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
  {
    label: "Rate source",
    icon: "rate",
    key: "T",
    hint: "Events at a set rate",
    add: { item: "source", kind: "rate" },
  },
  {
    label: "HTTP source",
    icon: "http",
    hint: "Events from HTTP requests",
    add: { item: "source", kind: "http" },
  },
  {
    label: "File source",
    icon: "file",
    hint: "Events from a file of JSON lines",
    add: { item: "source", kind: "file" },
  },
  {
    label: "Service source",
    icon: "service",
    hint: "Events pushed by handlers",
    add: { item: "source", kind: "service" },
  },
];
