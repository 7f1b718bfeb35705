import type { NameFault, NameKind } from "@penstock/codegen/validate";

type Checks = typeof import("@penstock/codegen/validate");

let checks: Checks | undefined;

/**
 * The rules, and behind them the names that C++ takes for itself, twice as much again: nothing of it is needed
 * to show a drawing. Asked for as soon as one is shown.
 */
export const loadChecks = async (): Promise<Checks> =>
  (checks ??= await import("@penstock/codegen/validate"));

/** The rules if they are there: they come some moments after the first picture. */
export const loadedChecks = (): Checks | undefined => checks;

/** Why something cannot be called so; undefined when it can. */
export const nameFault = (kind: NameKind, name: string): NameFault | undefined =>
  checks?.nameFault(kind, name);
