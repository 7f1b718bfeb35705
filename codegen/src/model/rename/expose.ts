import type { Binary, Topology } from "../topology/index.js";

/** On this machine, at any port that is free: where a binary takes requests when its first service is exposed. */
export const ANY_PORT = "127.0.0.1:0";

/** The binary, with each exposed service by the name that `of` gives it; undefined: it is exposed no more. */
export function exposeFollows(
  topology: Topology,
  binary: Binary,
  of: (name: string) => string | undefined,
): Binary {
  if (binary.expose === undefined) return binary;
  const left = binary.expose.flatMap((service) => of(service) ?? []);
  return left.length === 0 ? exposingNothing(topology, binary) : { ...binary, expose: left };
}

/** A binary that exposes nothing any more. At ANY_PORT it opens none for nothing. */
export function exposingNothing(topology: Topology, binary: Binary): Binary {
  const { expose: _, ...rest } = binary;
  if (rest.http !== ANY_PORT || takesEvents(topology, binary)) return rest;
  const { http: __, ...closed } = rest;
  return closed;
}

/** Whether a flow of a binary has its events from HTTP. */
function takesEvents({ bundles, flows }: Topology, binary: Binary): boolean {
  const served = bundles
    .filter(({ name }) => binary.bundles.includes(name))
    .flatMap((bundle) => bundle.flows);
  return flows.some(({ name, source }) => source.kind === "http" && served.includes(name));
}
