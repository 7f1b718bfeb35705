import {
  asksForToken,
  dnsLabel,
  httpOf,
  isHttps,
  isLoopback,
  keyFilesOf,
  type HttpDoor,
} from "../model/topology/index.js";
import type { BinaryConfiguration, BinaryPlan, ProjectPlan } from "../plan/index.js";

/** A port of a headless service, as Kubernetes has it. */
interface ServicePort {
  name: string;
  port: string;
  /** None: TCP. */
  protocol?: "UDP";
}

function portAt(address: string): ServicePort | undefined {
  const [, scheme, port] = /^(tcp|tls|udp):.*:([1-9]\d*)$/.exec(address) ?? [];
  if (port === undefined) return undefined;
  return scheme === "udp"
    ? { name: `calls-${port}-udp`, port, protocol: "UDP" }
    : { name: `calls-${port}`, port };
}

/** Where others reach a binary, each port once. */
const portsOf = (listen: readonly string[] = []): ServicePort[] => [
  ...new Map(listen.flatMap((address) => portAt(address) ?? []).map((each) => [each.name, each])).values(),
];

/** Where it takes HTTP, as its configuration has it. */
const doorOf = ({ configuration: { http } }: BinaryPlan): HttpDoor => httpOf({ http }) ?? { address: "" };

/** It speaks TLS with the keys of `penstock keys`. */
const hasOwnKeys = (binary: BinaryPlan): boolean => binary.isSecured || doorOf(binary).tls === "keys";

const keysOf = (binary: BinaryPlan): string[] =>
  keyFilesOf({ name: binary.name, http: doorOf(binary) }, binary.isSecured);

/** The port at which other machines ask it, and what they speak; none: they do not, or it is any. */
function httpOutside(binary: BinaryPlan): { httpPort?: string; httpScheme?: string } {
  const door = doorOf(binary);
  const [, port] = /:([1-9]\d*)$/.exec(door.address) ?? [];
  if (port === undefined || isLoopback(door.address)) return {};
  return { httpPort: port, httpScheme: isHttps(door) ? "https" : "http" };
}

/** Others call it, and find it on their own host alone: from another container they do not. */
function isOutOfReach({ offers, configuration: { listen = [], announce } }: BinaryPlan): boolean {
  const reached = listen.some((address) => !isLoopback(address.replace(/^[a-z+]+:\/\//, "")));
  return offers.length > 0 && announce === undefined && !reached;
}

/** It is announced at a NATS server, or looks for others there, or its own code may. */
const asksNats = ({ announce, peers = {}, others = {} }: BinaryConfiguration): boolean =>
  announce !== undefined ||
  Object.values({ ...peers, ...others }).some((address) =>
    /^(?:tcp|tls|udp(?:\+keys)?)\+nats:/.test(address),
  );

/** Variables of the runtime that the files list for a binary by themselves. */
const listedFor = (binary: BinaryPlan): ReadonlySet<string> =>
  new Set([
    "PENSTOCK_CONTROL_TOKEN",
    ...(asksForToken(doorOf(binary)) ? ["PENSTOCK_HTTP_TOKEN"] : []),
    ...(keysOf(binary).length > 0 ? ["PENSTOCK_KEYS"] : []),
    ...(asksNats(binary.configuration)
      ? ["USER", "PASSWORD", "TOKEN"].map((of) => `PENSTOCK_NATS_${of}`)
      : []),
  ]);

/** What its nodes read in its environment beside those, each once. */
function environmentOf(binary: BinaryPlan): string[] {
  const listed = listedFor(binary);
  const named = binary.services.flatMap(({ standard }) => standard?.environment ?? []);
  return [...new Set(named)].filter((name) => !listed.has(name)).sort();
}

/** The project's name as Docker takes one: it ends with a letter or digit. */
export const imageOf = (project: string): string => project.replace(/_+$/, "");

/**
 * The Kubernetes service of a binary's HTTP port: of 63 letters at most, and called as nothing else there.
 */
function httpServiceOf({ binaries }: ProjectPlan, of: BinaryPlan): string {
  const taken = new Set(binaries.map((binary) => dnsLabel(binary.name)));
  const free = ({ name }: BinaryPlan): string => {
    for (let number = 1; ; number++) {
      const end = number === 1 ? "-http" : `-http-${number}`;
      const service = `${dnsLabel(dnsLabel(name).slice(0, 63 - end.length))}${end}`;
      if (!taken.has(service)) return service;
    }
  };
  for (const binary of binaries) {
    const service = free(binary);
    if (binary === of) return service;
    taken.add(service);
  }
  return free(of);
}

/** What the files for Compose and Kubernetes say of a binary. */
export const containerContext = (plan: ProjectPlan, binary: BinaryPlan): object => ({
  kubernetesName: dnsLabel(binary.name),
  httpService: httpServiceOf(plan, binary),
  partOf: dnsLabel(plan.project),
  image: imageOf(plan.project),
  ports: portsOf(binary.configuration.listen),
  isOutOfReach: isOutOfReach(binary),
  ...httpOutside(binary),
  keyFiles: keysOf(binary),
  hasOwnKeys: hasOwnKeys(binary),
  asksForToken: asksForToken(doorOf(binary)),
  environment: environmentOf(binary),
  hasEnvironment:
    keysOf(binary).length > 0 || asksForToken(doorOf(binary)) || environmentOf(binary).length > 0,
  asksNats: asksNats(binary.configuration),
});

/** Which secrets any of the binaries has. */
export const secretsOf = ({ binaries }: ProjectPlan): object => ({
  hasKeys: binaries.some((binary) => keysOf(binary).length > 0),
  asksForToken: binaries.some((binary) => asksForToken(doorOf(binary))),
  environment: [...new Set(binaries.flatMap(environmentOf))].sort().join(", "),
});
