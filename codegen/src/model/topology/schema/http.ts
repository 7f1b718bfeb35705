import type { Binary, HttpDoor, Topology } from "./schema.js";

/** What the routes of exposed services begin with, where nothing else is said: Twirp's. */
export const DEFAULT_PREFIX = "/twirp";

/** `http` of a binary in its long form; undefined: it takes no HTTP. */
export const httpOf = ({ http }: Pick<Binary, "http">): HttpDoor | undefined =>
  typeof http === "string" ? { address: http } : http;

/** Where its address stands, from the binary on. */
export const httpPlace = ({ http }: Pick<Binary, "http">): string[] =>
  typeof http === "string" ? ["http"] : ["http", "address"];

/** Where an exposed service is asked: the same request on each of its routes, one a bundle. */
export interface ExposedRoute {
  service: string;
  /** `ads.AdBundle/GetAd` */
  name: string;
  /** `/twirp/ads.AdBundle/GetAd` */
  path: string;
}

/** The routes of a binary in the order of `expose`; none for a service that it does not run. */
export function routesOf(topology: Pick<Topology, "name" | "bundles">, binary: Binary): ExposedRoute[] {
  const { expose = [] } = binary;
  if (expose.length === 0) return [];
  const { prefix = DEFAULT_PREFIX } = httpOf(binary) ?? {};
  const bundles = topology.bundles.filter(({ name }) => binary.bundles.includes(name));
  return expose.flatMap((service) =>
    bundles
      .filter(({ services }) => services.includes(service))
      .map((bundle) => {
        const name = `${topology.name}.${bundle.name}/${service}`;
        return { service, name, path: `${prefix}/${name}` };
      }),
  );
}
