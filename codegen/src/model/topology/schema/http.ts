import type { Binary, HttpDoor, Topology } from "./schema.js";

/** What the routes of exposed services begin with, where nothing else is said: Twirp's. */
export const DEFAULT_PREFIX = "/twirp";

/** `http` of a binary in its long form; undefined: it takes no HTTP. */
export const httpOf = ({ http }: Pick<Binary, "http">): HttpDoor | undefined =>
  typeof http === "string" ? { address: http } : http;

/** What a binary binds control and, where nothing else is drawn, HTTP to; as `parse_loopback` of its configuration reads it. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\]):(0|[1-9][0-9]*)$/;

/** True for an address (that reads well) of this machine alone, in one of the forms that a binary takes. */
export const isLoopback = (address: string): boolean => LOOPBACK.test(address);

/** Its clients speak TLS. */
export const isHttps = ({ tls = "off" }: Pick<HttpDoor, "tls">): boolean => tls !== "off";

/** Its clients show a token. */
export const asksForToken = ({ auth }: Pick<HttpDoor, "auth">): boolean => auth === "bearer";

/** What other machines can do that reach it: ask without a token, or be overheard. As it is drawn, whatever was accepted. */
export function openness(http: HttpDoor): ("unasked" | "clear")[] {
  if (isLoopback(http.address)) return [];
  return [...(asksForToken(http) ? [] : ["unasked" as const]), ...(isHttps(http) ? [] : ["clear" as const])];
}

/** The files that a binary reads in its folder of keys; `isSecured`: some of its links are. */
export function keyFilesOf({ name, http }: Pick<Binary, "name" | "http">, isSecured: boolean): string[] {
  const { tls } = httpOf({ http }) ?? {};
  return [
    ...(isSecured || tls === "keys" ? ["ca.crt", `${name}.crt`, `${name}.key`] : []),
    ...(typeof tls === "object" ? [tls.cert, tls.key] : []),
  ];
}

/** A name as Kubernetes and Compose take it, and DNS: letters, digits and inner dashes, 63 at most. */
export const dnsLabel = (name: string): string => name.replaceAll("_", "-").slice(0, 63).replace(/-+$/, "");

/**
 * The hosts that a certificate of `penstock keys` names for clients of a binary's HTTP address, as names or numbers: itself, as
 * the files for containers call it, this machine, the address where it is one, and those that are drawn; none where it shows
 * another certificate.
 */
export function certifiedHosts(binary: Pick<Binary, "name" | "http">): string[] {
  const http = httpOf(binary);
  if (http?.tls !== "keys") return [];
  const label = dnsLabel(binary.name);
  const { hosts = [] } = http;
  const host = http.address.slice(0, http.address.lastIndexOf(":")).replace(/^\[(.*)\]$/, "$1");
  const names = [label, `${label}-http`, "localhost", "127.0.0.1"];
  const own = ["0.0.0.0", "::", ""].includes(host) ? [] : [host];
  return [...new Set([...names, ...own, ...hosts])];
}

/** Where its address stands, from the binary on. */
export const httpPlace = ({ http }: Pick<Binary, "http">): string[] =>
  typeof http === "string" ? ["http"] : ["http", "address"];

/** Where an exposed service is asked: the same request on each of its routes, one a bundle. */
export interface ExposedRoute {
  service: string;
  bundle: string;
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
        return { service, bundle: bundle.name, name, path: `${prefix}/${name}` };
      }),
  );
}
