import { DEFAULT_POOL, type Binary, type Preset, type Topology } from "../model/topology/index.js";
import type { ThreadLayout } from "./threadLayout.js";

export const presetsOf = (topology: Topology, binary: string): readonly Preset[] =>
  topology.binaries.find(({ name }) => name === binary)?.presets ?? [];

export const findPreset = (topology: Topology, binary: string, name: string): Preset | undefined =>
  presetsOf(topology, binary).find((preset) => preset.name === name);

const withPresets = (binary: Binary, presets: Preset[]): Binary => {
  const { presets: _, ...rest } = binary;
  return presets.length === 0 ? rest : { ...rest, presets };
};

const changed = (topology: Topology, binary: string, change: (presets: Preset[]) => Preset[]): Topology => ({
  ...topology,
  binaries: topology.binaries.map((one) =>
    one.name === binary ? withPresets(one, change([...(one.presets ?? [])])) : one,
  ),
});

/** Without the built-in pool where it is not drawn: it has a thread for each CPU of whatever machine it is on. */
function drawnPools(topology: Topology, binary: string, pools: Preset["pools"]): Preset["pools"] {
  const drawn = topology.binaries.find(({ name }) => name === binary)?.pools ?? [];
  return pools.filter(({ name }) => name !== DEFAULT_POOL || drawn.some((pool) => pool.name === name));
}

/** The topology with a layout of threads kept under a name, in the place of an older one of that name. */
export const savePreset = (
  topology: Topology,
  binary: string,
  name: string,
  threadLayout: ThreadLayout,
): Topology =>
  changed(topology, binary, (presets) => {
    const { joins } = threadLayout;
    const pools = drawnPools(topology, binary, threadLayout.pools);
    const at = presets.findIndex((preset) => preset.name === name);
    if (at < 0) return [...presets, { name, pools, joins }];
    return presets.map((preset, index) => (index === at ? { ...preset, pools, joins } : preset));
  });

export const removePreset = (topology: Topology, binary: string, name: string): Topology =>
  changed(topology, binary, (presets) => presets.filter((preset) => preset.name !== name));
