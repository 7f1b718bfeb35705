import type { Topology } from "@penstock/codegen/topology";

/** What two versions of a drawing do not share, in people's words: "service GetAd". */
export interface VersionDifference {
  onlyMine: string[];
  onlyTheirs: string[];
  /** In both, drawn differently. */
  changed: string[];
}

const KINDS = [
  ["message", (topology: Topology) => topology.messages],
  ["enum", (topology: Topology) => topology.enums],
  ["service", (topology: Topology) => topology.services],
  ["flow", (topology: Topology) => topology.flows],
  ["bundle", (topology: Topology) => topology.bundles],
  ["binary", (topology: Topology) => topology.binaries],
] as const;

/** Things by name: a rename is one gone and one new, as it is on disk. */
export function versionDifference(mine: Topology, theirs: Topology): VersionDifference {
  const difference: VersionDifference = { onlyMine: [], onlyTheirs: [], changed: [] };
  for (const [kind, things] of KINDS) {
    const here = new Map((things(mine) ?? []).map((thing) => [thing.name, JSON.stringify(thing)]));
    const there = new Map((things(theirs) ?? []).map((thing) => [thing.name, JSON.stringify(thing)]));
    for (const [name, text] of here) {
      if (!there.has(name)) difference.onlyMine.push(`${kind} ${name}`);
      else if (there.get(name) !== text) difference.changed.push(`${kind} ${name}`);
    }
    for (const name of there.keys()) if (!here.has(name)) difference.onlyTheirs.push(`${kind} ${name}`);
  }
  return difference;
}
