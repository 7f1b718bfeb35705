import type { JsonObject } from "../../json/index.js";

/** A migrated document, or why this one cannot be carried over and where. */
export type MigrationResult =
  { ok: true; document: JsonObject } | { ok: false; reason: string; path: (string | number)[] };

/** One step from a format version to the next; never changes its input. */
export interface Migration {
  from: number;
  /** What changed in the format, for `docs/topology.md`. */
  title: string;
  migrate(document: JsonObject): MigrationResult;
}

/** Every step, oldest first, each from the version behind the last one's; none yet: version 1 is the first. */
export const MIGRATIONS: readonly Migration[] = [];
