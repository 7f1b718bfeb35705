import type { PresetRuling } from "../../contract/index.js";

/** `busy`, `busy, at rest`, `no preset yet`, `at rest: why the last one was refused`. */
export function ruleWords({ on, preset, refused }: Pick<PresetRuling, "on" | "preset" | "refused">): string {
  const now = preset ?? "no preset yet";
  if (on) return now;
  return refused === undefined ? `${now}, at rest` : `${now}, at rest: ${refused}`;
}
