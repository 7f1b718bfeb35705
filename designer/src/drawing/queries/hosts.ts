import type { Binary, Topology } from "@penstock/codegen/topology";

/** All addresses of a host, whichever it is. */
const ANY = new Set(["0.0.0.0", "[::]"]);
/** Longer ones lose their end on the label of a frame. */
const LONGEST = 24;

/** The host that a binary listens at by the drawing; undefined: at no address, or at all of a host that is found elsewhere. */
function hostOf({ listen: [first] }: Binary): string | undefined {
  const host = /:\/\/(\[[^\]]*\]|[^:/[\]]+):\d+$/.exec(first ?? "")?.[1];
  return host === undefined || ANY.has(host) ? undefined : host;
}

const isLoopback = (host: string): boolean => /^(127\.[\d.]+|\[::1\]|localhost)$/i.test(host);

/**
 * What the frames of a drawing say of hosts, by the names of its binaries: nothing where all that are known are one, as all
 * addresses of loopback are.
 */
export function hostTexts({ binaries }: Topology): ReadonlyMap<string, string> {
  const hosts = binaries.flatMap((binary): [string, string][] => {
    const host = hostOf(binary);
    return host === undefined ? [] : [[binary.name, host]];
  });
  const different = new Set(hosts.map(([, host]) => (isLoopback(host) ? "" : host.toLowerCase())));
  if (different.size < 2) return new Map();
  return new Map(hosts.map(([name, host]) => [name, cut(host)]));
}

const cut = (host: string): string => (host.length > LONGEST ? `${host.slice(0, LONGEST - 1)}…` : host);
