import type { Migration } from "./migration.js";

export type { Migration, MigrationResult } from "./migration.js";

/** Every step, oldest first, each from the version behind the last one's; none yet: version 1 is the first. */
export const MIGRATIONS: readonly Migration[] = [];
