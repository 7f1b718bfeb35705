import type { Binary, Bundle, EnumType, Flow, Message, Service, Topology } from "../schema/schema.js";

/** A thing and its place in its list. */
export interface Indexed<T> {
  item: T;
  at: number;
}
type ByName<T> = ReadonlyMap<string, Indexed<T>>;

/** Everything with a name, found in O(1); of two things with one name the first counts. */
export interface TopologyIndex {
  messages: ByName<Message>;
  enums: ByName<EnumType>;
  services: ByName<Service>;
  flows: ByName<Flow>;
  bundles: ByName<Bundle>;
  binaries: ByName<Binary>;
  /** Names of the binaries that serve a service or run a flow, in list order; absent: none. */
  binariesOfService: ReadonlyMap<string, readonly string[]>;
  binariesOfFlow: ReadonlyMap<string, readonly string[]>;
  /** Services that call a service, in list order; absent: none. */
  callers: ReadonlyMap<string, readonly string[]>;
}

/** Built once for each topology in O(size); topologies are never changed in place. */
export function indexTopology(topology: Topology): TopologyIndex {
  const bundles = byName(topology.bundles);
  const binariesOfBundle = new Map<string, string[]>();
  for (const binary of topology.binaries)
    for (const bundle of binary.bundles) addOnce(binariesOfBundle, bundle, binary.name);
  const sorted = new Map(topology.binaries.map(({ name }, at) => [name, at]));
  const callers = new Map<string, string[]>();
  for (const service of topology.services)
    for (const callee of service.calls) addOnce(callers, callee, service.name);
  return {
    messages: byName(topology.messages),
    enums: byName(topology.enums),
    services: byName(topology.services),
    flows: byName(topology.flows),
    bundles,
    binaries: byName(topology.binaries),
    binariesOfService: binariesOfMembers(
      topology.bundles,
      ({ services }) => services,
      binariesOfBundle,
      sorted,
    ),
    binariesOfFlow: binariesOfMembers(topology.bundles, ({ flows }) => flows, binariesOfBundle, sorted),
    callers,
  };
}

/**
 * Binaries by the members of their bundles. Members of the same bundles share one list: thousands of
 * services in thousands of binaries take no more room than the document that says so.
 */
function binariesOfMembers(
  bundles: readonly Bundle[],
  membersOf: (bundle: Bundle) => readonly string[],
  binariesOfBundle: ReadonlyMap<string, readonly string[]>,
  order: ReadonlyMap<string, number>,
): Map<string, readonly string[]> {
  const bundlesOf = new Map<string, string[]>();
  for (const bundle of bundles)
    if (binariesOfBundle.has(bundle.name))
      for (const member of membersOf(bundle)) addOnce(bundlesOf, member, bundle.name);
  const shared = new Map<string, readonly string[]>();
  const binaries = new Map<string, readonly string[]>();
  for (const [member, names] of bundlesOf) {
    const key = names.length === 1 ? (names[0] ?? "") : JSON.stringify(names);
    let list = shared.get(key);
    if (list === undefined) {
      const all = new Set(names.flatMap((name) => binariesOfBundle.get(name) ?? []));
      list =
        names.length === 1 ? [...all] : [...all].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      shared.set(key, list);
    }
    binaries.set(member, list);
  }
  return binaries;
}

function byName<T extends { name: string }>(list: readonly T[]): Map<string, Indexed<T>> {
  const map = new Map<string, Indexed<T>>();
  list.forEach((item, at) => {
    if (!map.has(item.name)) map.set(item.name, { item, at });
  });
  return map;
}

/** Additions come grouped by `value`, so that looking at the last one is enough. */
function addOnce(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else if (list[list.length - 1] !== value) list.push(value);
}

/** Names of the services that call `service`. O(calls); `indexTopology` for many. */
export const callersOf = (topology: Topology, service: string): string[] =>
  topology.services.filter(({ calls }) => calls.includes(service)).map(({ name }) => name);
