import {
  httpOf,
  isLoopback,
  openness,
  routesOf,
  type HttpDoor,
  type Topology,
} from "@penstock/codegen/topology";

/** Who can ask a service over HTTP: this machine; others, with a token over TLS; or others, as they are. */
export type Reach = "here" | "secured" | "open";

/** How a service is asked over HTTP. */
export interface Exposure {
  /** `POST /twirp/ads.AdBundle/GetAd`, a line a route; then a line of who can ask, where others can. */
  text: string;
  /** The furthest of its binaries. */
  reach: Reach;
}

const ORDER: readonly Reach[] = ["here", "secured", "open"];

const reachOf = (http: HttpDoor): Reach => {
  if (isLoopback(http.address)) return "here";
  return openness(http).length === 0 ? "secured" : "open";
};

/** By the name of each service that is asked over HTTP, how. */
export function exposedRoutes(topology: Topology): ReadonlyMap<string, Exposure> {
  const found = new Map<string, { lines: string[]; reach: Reach }>();
  for (const binary of topology.binaries) {
    const http = httpOf(binary);
    const reach = http === undefined ? "here" : reachOf(http);
    for (const { service, path } of routesOf(topology, binary)) {
      const known = found.get(service) ?? { lines: [], reach };
      known.lines.push(`POST ${path}`);
      known.reach = ORDER.indexOf(reach) > ORDER.indexOf(known.reach) ? reach : known.reach;
      found.set(service, known);
    }
  }
  return new Map(
    [...found].map(([service, { lines, reach }]) => [
      service,
      { reach, text: [...new Set(lines), ...(REACHED[reach] ?? [])].join("\n") },
    ]),
  );
}

const REACHED: Readonly<Partial<Record<Reach, string[]>>> = {
  secured: ["Other machines ask it with a token, over TLS."],
  open: ["Other machines ask it without a token, or in the clear."],
};
