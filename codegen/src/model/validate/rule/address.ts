import { quote } from "../../diagnostics/index.js";
import { isLoopback, LAST_PORT } from "../../topology/index.js";

type AddressCode = "PS601" | "PS602" | "PS603";
/** An address that reads well; `key` is equal for two that cannot both be used, undefined when that cannot be. */
export type AddressResult =
  { ok: true; key: string | undefined } | { ok: false; code: AddressCode; message: string };

const SCHEMES: ReadonlySet<string> = new Set(["tcp", "udp", "tls", "unix", "shm"]);
const LAYERS: ReadonlySet<string> = new Set(["ordered", "reliable", "slicing"]);
/** Linux keeps 108 bytes for the path of a socket, the last one a NUL. */
const LONGEST_SOCKET_PATH = 107;

const bad = (message: string, code: AddressCode = "PS601"): AddressResult => ({ ok: false, code, message });

/** Reads an address of `listen`. */
export function parseListen(address: string): AddressResult {
  const parts = /^([^:/]*):\/\/(.*)$/s.exec(address);
  if (parts === null) return bad(`${quote(address)} is no address: it has no scheme such as tcp://`);
  const [scheme = "", ...layers] = (parts[1] ?? "").split("+");
  const rest = parts[2] ?? "";
  if (!SCHEMES.has(scheme)) {
    const lower = SCHEMES.has(scheme.toLowerCase()) ? "; schemes are in lower case" : "";
    return bad(`${quote(address)} has the scheme ${quote(scheme)}, which does not exist${lower}`, "PS602");
  }
  if (layers.length > 0 && scheme !== "udp")
    return bad(`${quote(address)} has layers, which only udp can have`, "PS602");
  const unknown = layers.find((layer, at) => !LAYERS.has(layer) || layers.indexOf(layer) !== at);
  if (unknown !== undefined)
    return bad(
      `${quote(address)} has the layer ${quote(unknown)} ${LAYERS.has(unknown) ? "twice" : "which does not exist"}`,
      "PS602",
    );
  if (scheme === "unix") {
    const sound = /^\/\P{Cc}+$/u.test(rest) && !rest.endsWith("/") && rest.length <= LONGEST_SOCKET_PATH;
    return sound
      ? { ok: true, key: `unix ${rest}` }
      : bad(`${quote(address)} names no socket by an absolute path of at most ${LONGEST_SOCKET_PATH} bytes`);
  }
  if (scheme === "shm")
    return /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(rest)
      ? { ok: true, key: `shm ${rest}` }
      : bad(`${quote(address)} names no shared memory (letters, digits, ".", "_", "-")`);
  return parseHostPort(rest, address, scheme === "udp" ? "udp" : "tcp");
}

/** All addresses of a host, in one of the forms that a binary takes. */
const isEverywhere = (host: string): boolean => host === "0.0.0.0" || host === "[::]";

/** Why `text` names no NATS server; undefined: it does. */
export function whyNoServer(text: string): string | undefined {
  const [, rest] = /^nats:\/\/(.*)$/s.exec(text) ?? [];
  if (rest === undefined) return "it does not begin with nats://";
  if (rest.includes("@")) return "who may come in there is said where it runs, never in a drawing";
  const read = parseHostPort(rest, text);
  if (!read.ok) return read.message;
  if (rest.endsWith(":0")) return "it has no port";
  return standsForNoHost(rest.slice(0, rest.lastIndexOf(":")))
    ? "that is the address of no one host"
    : undefined;
}

/** Why a binary cannot take HTTP at an address that reads well; undefined: it can. */
export function whyNoDoor(address: string): string | undefined {
  const host = address.slice(0, address.lastIndexOf(":"));
  if (isLoopback(address) || isEverywhere(host)) return undefined;
  if (!isNumber(host)) return "that is a name, and which addresses it has is not looked up yet";
  return standsForNoHost(host) ? "that is the address of no one host" : undefined;
}

/** Of IPv4, or of IPv6 in brackets. */
const isNumber = (host: string): boolean => /^(?:[\d.]+|\[.*\])$/.test(host);

/** What says where a binary is: nothing besides its address, a file, or what it is announced at. */
export type FoundBy = "address" | "file" | "announcement";

/**
 * Why nobody can call a binary at an address of `listen` that reads well; undefined: it can be called there. One that is
 * found elsewhere may listen at all addresses of its host, and at any port where it is announced.
 */
export function whyNotCalledAt(address: string, foundBy: FoundBy): string | undefined {
  const [, scheme = "", host = "", port] = /^([a-z+]+):\/\/(.*?)(?::(\d+))?$/.exec(address) ?? [];
  if (scheme.startsWith("udp+"))
    return "calls over udp are reliable and in order by themselves, without layers";
  if (scheme !== "tcp" && scheme !== "tls" && scheme !== "udp") return `over ${scheme} nothing goes yet`;
  if (port === "0" && foundBy !== "announcement") return "the others could not know which port it got";
  if (isLoopback(`${host}:1`)) return undefined;
  if (foundBy !== "address" && isEverywhere(host)) return undefined;
  return standsForNoHost(host) ? "that is the address of no one host" : undefined;
}

/** All addresses of a host, a group of hosts, one of a single link, or what is reserved; as `parse_peer` of the runtime has it. */
function standsForNoHost(host: string): boolean {
  if (host.startsWith("[")) return /^\[(?:[0:.]*\]|ff|fe[89ab]|[0:]*:ffff:|::\d+\.)/i.test(host);
  const [, first] = /^(\d+)\.[\d.]+$/.exec(host) ?? [];
  return first !== undefined && (Number(first) === 0 || Number(first) >= 224);
}

/** Reads an address of `http` or `control`, and the part of `listen` behind the scheme. */
export function parseHostPort(text: string, shown = text, transport: "tcp" | "udp" = "tcp"): AddressResult {
  const parts = /^(\[[^\]]*\]|[^:[\]]*):([^:]*)$/.exec(text);
  if (parts === null) {
    const manyColons = !text.includes("[") && text.split(":").length > 2;
    return bad(`${quote(shown)} is no host:port${manyColons ? "; an IPv6 host stands in brackets" : ""}`);
  }
  const [, host = "", port = ""] = parts;
  if (host.startsWith("[") ? !isIpv6(host.slice(1, -1)) : !isHost(host))
    return bad(`${quote(shown)} has no legal host before its port`);
  if (!/^(0|[1-9][0-9]*)$/.test(port)) return bad(`${quote(shown)} has no port behind its host`);
  if (Number(port) > LAST_PORT)
    return bad(`${quote(shown)} has the port ${quote(port)}, not 0 to ${LAST_PORT}`, "PS603");
  const machine = host.toLowerCase() === "localhost" ? "127.0.0.1" : host.toLowerCase();
  return { ok: true, key: port === "0" ? undefined : `${transport} ${machine}:${port}` };
}

function isHost(host: string): boolean {
  if (/^[0-9.]+$/.test(host)) {
    const bytes = host.split(".");
    return (
      bytes.length === 4 && bytes.every((byte) => /^(0|[1-9][0-9]{0,2})$/.test(byte) && Number(byte) <= 255)
    );
  }
  if (host.length > 253) return false;
  return host.split(".").every((label) => /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label));
}

const groupsOf = (half: string): string[] => (half === "" ? [] : half.split(":"));

/** RFC 4291 text form, an IPv4 tail included; zones (`%eth0`) are not taken. */
function isIpv6(host: string): boolean {
  const halves = host.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap(groupsOf);
  const last = groups[groups.length - 1] ?? "";
  let count = groups.length;
  if (last.includes(".")) {
    if (!isHost(last)) return false;
    groups.pop();
    count += 1;
  }
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? count <= 7 : count === 8;
}
