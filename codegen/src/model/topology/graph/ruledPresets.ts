import type { Binary, Preset } from "../schema/schema.js";

/** The presets that a rule of the binary brings into force by itself: these run with it, as its pools do. */
export function ruledPresets({ presets, rules }: Binary): Preset[] {
  const ruled = new Set((rules ?? []).flatMap(({ below, above }) => [below.preset, above.preset]));
  return (presets ?? []).filter(({ name }) => ruled.has(name));
}
