import { routesOf, type Topology } from "@penstock/codegen/topology";

/** By the name of each service that is asked over HTTP, `POST /twirp/ads.AdBundle/GetAd`: a line a route. */
export function exposedRoutes(topology: Topology): ReadonlyMap<string, string> {
  const routes = new Map<string, string[]>();
  for (const binary of topology.binaries)
    for (const { service, path } of routesOf(topology, binary))
      routes.set(service, [...(routes.get(service) ?? []), `POST ${path}`]);
  return new Map([...routes].map(([service, lines]) => [service, [...new Set(lines)].join("\n")]));
}
