import { readdir, readFile, readlink } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { hashOf, runFolder } from "../start/runFolder.js";

/** Where a process of a binary can be reached by others of its project. */
export interface Door {
  /** `unix:/run/user/1000/...`, or the address as it is drawn: `tcp://127.0.0.1:7400`. */
  place: string;
  /** Who listens there; null: nobody, as of a process that has died, or one of none of the processes asked for. */
  pid: number | null;
  /** Somebody does. */
  isOpen: boolean;
}

/** So long the name of a binary stands in that of its sockets; a longer one is cut, with its hash (net/remote/discovery/directory.cpp). */
const LONGEST_STEM = 38;
const stemOf = (binary: string): string =>
  binary.length <= LONGEST_STEM
    ? binary
    : `${binary.slice(0, LONGEST_STEM - 1 - hashOf(binary).length)}~${hashOf(binary)}`;

/** Of `/proc/net/unix` those that listen: inodes by their paths (proc_pid_net(5)). */
export function listeningSockets(table: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of table.split("\n").slice(1)) {
    const [, flags, inode, path] = /^\S+ \S+ \S+ (\S+) \S+ \S+ +(\d+) (\/.*)$/.exec(line) ?? [];
    // __SO_ACCEPTCON
    if (flags === "00010000" && inode !== undefined && path !== undefined) found.set(path, inode);
  }
  return found;
}

/** Of `/proc/net/tcp` and `tcp6` those that listen: inodes by host and port as they stand there, of a machine with the low byte first. */
export function listeningPorts(table: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of table.split("\n").slice(1)) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    // TCP_LISTEN
    if (state === "0A" && local !== undefined && inode !== undefined) found.set(local, inode);
  }
  return found;
}

/** Of `/proc/net/udp` and `udp6` those that are connected to nobody, as above; their keys begin with `udp `. */
export function listeningDatagrams(table: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of table.split("\n").slice(1)) {
    const [, local, remote = "", , , , , , , inode] = line.trim().split(/\s+/);
    if (local !== undefined && inode !== undefined && /^0+:0000$/.test(remote))
      found.set(`udp ${local}`, inode);
  }
  return found;
}

const hex = (number: number, digits: number): string =>
  number.toString(16).toUpperCase().padStart(digits, "0");

/** The bytes of an IPv6 address without brackets. */
function bytesOfIpv6(host: string): number[] {
  const [front = [], back = []] = host
    .split("::")
    .map((half) => half.split(":").filter(Boolean))
    .map((groups) =>
      groups.flatMap((group) =>
        group.includes(".")
          ? group.split(".").map(Number)
          : [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255],
      ),
    );
  return [...front, ...Array<number>(16 - front.length - back.length).fill(0), ...back];
}

/** The names of an address, drawn or announced, in those tables, one of which it has: words of four bytes, the low one first. */
export function tableKeys(address: string): string[] {
  const [, datagrams] = /^udp(?:\+keys)?:(.*)$/.exec(address) ?? [];
  if (datagrams !== undefined) return tableKeys(`tcp:${datagrams}`).map((key) => `udp ${key}`);
  const [, host = "", port = ""] = /^t(?:cp|ls):\/\/(.*):(\d+)$/.exec(address) ?? [];
  if (host === "localhost") return tableKeys(`tcp://127.0.0.1:${port}`);
  // Of a name it listens at all addresses of the host, too.
  if (!/^(?:[\d.]+|\[.*\])$/.test(host) || host === "0.0.0.0" || host === "[::]")
    return ["[::]", "0.0.0.0"].map((all) => tableKey(all, port));
  return [tableKey(host, port)];
}

function tableKey(number: string, port: string): string {
  const bytes = number.startsWith("[") ? bytesOfIpv6(number.slice(1, -1)) : number.split(".").map(Number);
  const words = Array.from({ length: bytes.length / 4 }, (_, word) =>
    bytes.slice(4 * word, 4 * word + 4).reverse(),
  );
  return `${words.map((word) => word.map((byte) => hex(byte, 2)).join("")).join("")}:${hex(Number(port), 4)}`;
}

/** What is announced by an address of this host may listen at all of them. */
function keysOfOwnHost(address: string): string[] {
  const [, scheme = "", host = "", port = ""] =
    /^(tcp|tls|udp)(?:\+keys)?:\/\/\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return own.some((one) => one.address === host) ? tableKeys(`${scheme}://[::]:${port}`) : [];
}

async function inodesOf(pid: number): Promise<Set<string>> {
  const folder = `/proc/${pid}/fd`;
  const inodes = new Set<string>();
  for (const name of await readdir(folder).catch(() => [])) {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(await readlink(join(folder, name)).catch(() => "")) ?? [];
    if (inode !== undefined) inodes.add(inode);
  }
  return inodes;
}

/** The sockets of a binary in its project's folder. */
async function socketsOf(projectDir: string, binary: string): Promise<string[]> {
  const folder = runFolder(projectDir);
  const stem = stemOf(binary);
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name.startsWith(stem) && /^\.[0-9a-f]{16}\.sock$/.test(name.slice(stem.length)),
  );
  return names.sort().map((name) => join(folder, name));
}

/** What listens in the network of a process, by the keys of its tables. */
async function tablesOf(pid: number | "self"): Promise<Map<string, string>> {
  const table = (name: string): Promise<string> =>
    readFile(`/proc/${pid}/net/${name}`, "utf8").catch(() => "");
  const names = ["unix", "tcp", "tcp6", "udp", "udp6"] as const;
  const [unix, four, six, udp, udp6] = await Promise.all(names.map(table));
  return new Map([
    ...listeningSockets(unix ?? ""),
    ...[four, six].flatMap((ports = "") => [...listeningPorts(ports)]),
    ...[udp, udp6].flatMap((ports = "") => [...listeningDatagrams(ports)]),
  ]);
}

/** Where a binary listens, at the addresses that it announces, that are drawn or else at sockets of its host, and which of these processes do. */
export async function doorsOf(
  projectDir: string,
  { name, listen }: { name: string; listen: readonly string[] },
  pids: readonly number[],
  announced: readonly string[] = [],
): Promise<Door[]> {
  const drawn = announced.length > 0 ? announced : listen;
  const places =
    drawn.length > 0
      ? drawn.map((place) => ({
          place,
          keys: [...tableKeys(place), ...(announced.length > 0 ? keysOfOwnHost(place) : [])],
        }))
      : (await socketsOf(projectDir, name)).map((path) => ({ place: `unix:${path}`, keys: [path] }));
  // A process behind a fence may have a network of its own, and sockets of that.
  const tables = await Promise.all(
    (["self", ...pids] as const).map(async (pid) => ({
      pid,
      sockets: await tablesOf(pid),
      inodes: typeof pid === "number" ? await inodesOf(pid) : new Set<string>(),
    })),
  );
  return places.map(({ place, keys }) => {
    const owner = tables.find(({ sockets, inodes }) =>
      keys.some((key) => inodes.has(sockets.get(key) ?? "")),
    );
    return {
      place,
      pid: typeof owner?.pid === "number" ? owner.pid : null,
      isOpen: tables.some(({ sockets }) => keys.some((key) => sockets.has(key))),
    };
  });
}
