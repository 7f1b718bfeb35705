import {
  indexTopology,
  type Binary,
  type Preset,
  type PresetRule,
  type Topology,
} from "@penstock/codegen/topology";
import { freshName, patched } from "../model.js";

/** What a rule says while a flow or service moves from one binary to another. */
interface Moved {
  /** As they are without the rules. */
  from: Binary;
  to: Binary;
  /** The pools that what moves runs on. */
  pools: ReadonlySet<string>;
}

/**
 * The rules about what a binary does not run any more go to the one that runs it now, with as much of their presets as has
 * come along: where that is nothing they would change nothing there, and are gone. A preset that has come along whole, and
 * that no other rule names, is left behind by nobody.
 */
export function moveRules(topology: Topology, { from, to, pools }: Moved): { from: Binary; to: Binary } {
  const { binariesOfFlow, binariesOfService } = indexTopology(topology);
  const runs = ({ name }: Binary, of: string): boolean =>
    [binariesOfFlow, binariesOfService].some((index) => index.get(of)?.includes(name) === true);
  const rules = from.rules ?? [];
  const leaving = rules.filter(({ of }) => !runs(from, of) && runs(to, of));
  if (leaving.length === 0) return { from, to };
  const left = rules.filter((rule) => !leaving.includes(rule));

  const there = new Set(to.pools.map(({ name }) => name));
  const partOf = (preset: Preset): Preset => ({
    ...preset,
    pools: preset.pools.filter(({ name }) => pools.has(name) && there.has(name)),
    joins: preset.joins.filter(
      ({ flow, join }) =>
        !runs(from, flow) && runs(to, flow) && !(join && "pool" in join && !there.has(join.pool)),
    ),
  });
  const isWhole = (preset: Preset): boolean => {
    const part = partOf(preset);
    return part.pools.length === preset.pools.length && part.joins.length === preset.joins.length;
  };

  const presets = [...(to.presets ?? [])];
  const brought = new Map<string, string>();
  const bring = (preset: Preset): string => {
    const known = brought.get(preset.name);
    if (known !== undefined) return known;
    const name = freshName(
      preset.name,
      presets.map((one) => one.name),
    );
    presets.push({ ...partOf(preset), name });
    brought.set(preset.name, name);
    return name;
  };
  const coming = leaving.flatMap((rule): PresetRule[] => {
    const sides = [rule.below, rule.above].map((side) =>
      from.presets?.find(({ name }) => name === side.preset),
    );
    const [below, above] = sides;
    const changes = sides.some((preset) => {
      const part = preset && partOf(preset);
      return part !== undefined && part.pools.length + part.joins.length > 0;
    });
    if (!below || !above || !changes || to.rules?.some(({ of }) => of === rule.of)) return [];
    return [
      {
        ...rule,
        below: { ...rule.below, preset: bring(below) },
        above: { ...rule.above, preset: bring(above) },
      },
    ];
  });

  const named = new Set(left.flatMap(({ below, above }) => [below.preset, above.preset]));
  const stay = (from.presets ?? []).filter(
    (preset) => !brought.has(preset.name) || named.has(preset.name) || !isWhole(preset),
  );
  return {
    from: withRules(from, stay, left),
    to: withRules(to, presets, [...(to.rules ?? []), ...coming]),
  };
}

function withRules(binary: Binary, presets: Preset[], rules: PresetRule[]): Binary {
  return patched(binary, {
    presets: presets.length > 0 ? presets : undefined,
    rules: rules.length > 0 ? rules : undefined,
  });
}
