import type { Binary } from "./schema.js";

/** What carries the calls of other binaries to one: memory of their host, or TCP or UDP, which are secured beyond it. */
export type Transport = "shm" | "tcp" | "tls" | "udp" | "udp+keys";

/** Of this host alone, in one of the forms that a binary takes, or a file or server that lists such: nobody needs a key there. */
const CLEAR = /^(?:tcp|udp)(:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+$|\+file:|\+nats:)/;

/** True for an address of `listen`, or of a configuration's `peers`, at which only binaries with a key of the project are spoken to. */
export const isSecured = (address: string): boolean => !CLEAR.test(address);

const FILE = "file:";

/** The file in which the others look for the processes of a binary; undefined: it names none. */
export const discoveryFileOf = ({ discovery }: Pick<Binary, "discovery">): string | undefined =>
  discovery?.startsWith(FILE) === true ? discovery.slice(FILE.length) : undefined;

/** The address of the NATS server that the processes of a binary are announced at; undefined: they are at none. */
export const announcedAt = ({ discovery }: Pick<Binary, "discovery">): string | undefined =>
  discovery?.startsWith("nats://") === true ? discovery : undefined;

/** Where the others look for a binary, as their configurations say it; undefined: on their host. */
export function peerAddressOf(binary: Pick<Binary, "discovery" | "listen">): string | undefined {
  const [first] = binary.listen;
  const { discovery } = binary;
  if (first === undefined || discovery === undefined) return first;
  return `${transportTo(binary)}+${discovery}`;
}

export function transportTo({ listen: [first] }: Pick<Binary, "listen">): Transport {
  if (first === undefined) return "shm";
  if (first.startsWith("udp")) return isSecured(first) ? "udp+keys" : "udp";
  return isSecured(first) ? "tls" : "tcp";
}
