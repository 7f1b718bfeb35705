import { calledNames, type LiveSchema } from "@penstock/codegen/contract";

interface Keyed {
  services: Map<string, { figures: { service: string } }>;
  flows: Map<string, { figures: { flow: string } }>;
  pools: Map<string, { figures: { pool: string } }>;
  calls: Map<string, unknown>;
}

function rekey<T>(map: Map<string, T>, before: readonly string[], after: readonly string[]): void {
  const moved = before.map((name, index) => [after[index] ?? name, map.get(name)] as const);
  map.clear();
  for (const [name, one] of moved) if (one !== undefined) map.set(name, one);
}

const callsOf = (schema: LiveSchema): string[] => {
  const name = calledNames(schema);
  return schema.calls.map(({ from, to }) => `${name.get(from)}>${name.get(to)}`);
};
const namesOf = (things: readonly { name: string }[]): string[] => things.map(({ name }) => name);

/** What is known of a process moves to the names of `after`; both are the same schema but for names. */
export function rekeyTrack(track: Keyed, before: LiveSchema, after: LiveSchema): void {
  rekey(track.services, namesOf(before.services), namesOf(after.services));
  rekey(track.flows, namesOf(before.flows), namesOf(after.flows));
  rekey(track.pools, namesOf(before.pools), namesOf(after.pools));
  rekey(track.calls, callsOf(before), callsOf(after));
  for (const [name, { figures }] of track.services) figures.service = name;
  for (const [name, { figures }] of track.flows) figures.flow = name;
  for (const [name, { figures }] of track.pools) figures.pool = name;
}
