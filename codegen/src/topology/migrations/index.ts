import { from0 } from "./from0.js";
import type { Migration } from "./migration.js";

/** Every step, oldest first: step n leads from version n to n + 1. */
export const MIGRATIONS: readonly Migration[] = [from0];
