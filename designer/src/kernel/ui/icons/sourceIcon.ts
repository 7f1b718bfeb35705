import type { IconKind } from "./kindColor.js";

const SOURCES: readonly string[] = ["rate", "http", "file", "service"] satisfies IconKind[];

/** What stands for a kind of source: those of projects share one. */
export const sourceIcon = (kind: string): IconKind =>
  SOURCES.includes(kind) ? (kind as IconKind) : "own-source";
