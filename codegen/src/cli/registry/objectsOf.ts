import { discoveryFileOf, type Binary, type Topology } from "../../model/topology/index.js";
import type { RegistryObject } from "./registryFile.js";

/** Where a binary is, by its drawing: of the addresses that it listens at the first one, at which it is called. */
export interface Listed {
  binary: Binary;
  /** `tcp://127.0.0.1:7400`, one a process. */
  places: string[];
  /** Why there is none. */
  why?: string;
}

const ADDRESS = /^(?:tcp|tls|udp)(?:\+[a-z]+)*:\/\/(?:\[([^\]]+)\]|([^:]+)):(\d+)$/;

/** Host and port of an address of which both are known; undefined: it has none, as a Unix socket, port 0, or all addresses of a host. */
export function endOf(place: string): { ip: string; port: number } | undefined {
  const [, six, other, port] = ADDRESS.exec(place) ?? [];
  const host = six ?? other;
  if (host === undefined || port === undefined || Number(port) === 0) return undefined;
  if (host === "0.0.0.0" || host === "::") return undefined;
  return { ip: host === "localhost" ? "127.0.0.1" : host, port: Number(port) };
}

/** Where a binary is drawn to be, where nobody else says it. */
export function drawnPlaces(binary: Binary): Listed {
  const [first] = binary.listen;
  if (first === undefined) return { binary, places: [], why: "it listens at no address" };
  if (endOf(first) !== undefined) return { binary, places: [first] };
  const by = discoveryFileOf(binary) === undefined ? "" : ": the file of its discovery says where it is";
  return { binary, places: [], why: `${first} is no place${by}` };
}

/** The name that a process of a binary has in a registry, with what it serves. */
const objectName = (binary: string, process: number, bundle: string): string =>
  `${binary}${process === 0 ? "" : `.${process + 1}`}/${bundle}`;

/** An object for each bundle with services of each process: `models-server.2/Models` is an `ads::Models`. */
export function objectsOf({ name, bundles }: Topology, listed: readonly Listed[]): RegistryObject[] {
  const served = bundles.filter(({ services }) => services.length > 0).map((bundle) => bundle.name);
  return listed.flatMap(({ binary, places }) =>
    places.flatMap((place, process) => {
      const end = endOf(place);
      if (end === undefined) return [];
      return binary.bundles
        .filter((bundle) => served.includes(bundle))
        .map((bundle) => ({
          name: objectName(binary.name, process, bundle),
          module: name,
          class: bundle,
          ...end,
        }));
    }),
  );
}

/** The address of an object as the one that its binary listens at: TCP, where nothing is drawn. */
export function placeOf({ ip, port }: RegistryObject, binary: Binary | undefined): string {
  const scheme = /^(tcp|tls|udp)\b/.exec(binary?.listen[0] ?? "")?.[0] ?? "tcp";
  return `${scheme}://${ip.includes(":") ? `[${ip}]` : ip}:${port}`;
}
