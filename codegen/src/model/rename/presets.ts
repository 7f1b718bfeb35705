import type { Binary, Preset, Topology } from "../topology/index.js";

/** A preset without entries that are gone: each change gives the entry back, another one, or nothing. */
interface PresetChange {
  pool?: (name: string) => string | undefined;
  slot?: (flow: string, stage: string) => { flow: string; stage: string } | undefined;
}

function changed(
  preset: Preset,
  { pool = (name) => name, slot = (flow, stage) => ({ flow, stage }) }: PresetChange,
): Preset {
  return {
    ...preset,
    pools: preset.pools.flatMap((one) => {
      const name = pool(one.name);
      return name === undefined ? [] : [{ ...one, name }];
    }),
    joins: preset.joins.flatMap((one) => {
      const at = slot(one.flow, one.stage);
      if (at === undefined) return [];
      const { join } = one;
      if (join === undefined || !("pool" in join)) return [{ ...one, ...at }];
      const name = pool(join.pool);
      return name === undefined ? [] : [{ ...one, ...at, join: { pool: name } }];
    }),
  };
}

/** The binary with its presets changed; the same object when it has none. */
export const presetsChanged = (binary: Binary, change: PresetChange): Binary =>
  binary.presets === undefined
    ? binary
    : { ...binary, presets: binary.presets.map((preset) => changed(preset, change)) };

/** The same for every binary. */
export const allPresetsChanged = (topology: Topology, change: PresetChange): Topology => ({
  ...topology,
  binaries: topology.binaries.map((binary) => presetsChanged(binary, change)),
});
