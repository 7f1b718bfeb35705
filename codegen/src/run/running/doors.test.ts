import { createSocket } from "node:dgram";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { doorsOf, listeningDatagrams, listeningPorts, tableKeys, listeningSockets } from "./doors.js";
import { hashOf } from "../start/runFolder.js";

let folder: string;
const servers: Server[] = [];
const ads = { name: "ads", listen: [] };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "penstock-doors-"));
  vi.stubEnv("PENSTOCK_RUN", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close();
  await rm(folder, { recursive: true, force: true });
});
const listen = (path: string): Promise<void> =>
  new Promise((resolve) => {
    const server = createServer();
    servers.push(server);
    server.listen(path, resolve);
  });

test("of the table of Unix sockets those that listen at a path are read", () => {
  const table = [
    "Num       RefCount Protocol Flags    Type St Inode Path",
    "0000000000000001: 00000002 00000000 00010000 0001 01 101 /run/a.sock",
    "0000000000000002: 00000003 00000000 00000000 0001 03 102 /run/b.sock",
    "0000000000000003: 00000002 00000000 00010000 0001 01 103",
    "0000000000000004: 00000002 00000000 00010000 0001 01   104 /run/with a space.sock",
    "",
  ].join("\n");
  expect(Object.fromEntries(listeningSockets(table))).toEqual({
    "/run/a.sock": "101",
    "/run/with a space.sock": "104",
  });
});

test("of the table of TCP those that listen are read", () => {
  const table = [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    "   0: 0100007F:1CE8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 101 1 0000 100 0 0 10 0",
    "   1: 0100007F:1CE9 0100007F:C755 01 00000000:00000000 00:00000000 00000000  1000        0 102 1 0000 100 0 0 10 0",
    "",
  ].join("\n");
  expect(Object.fromEntries(listeningPorts(table))).toEqual({ "0100007F:1CE8": "101" });
});

test("of the table of UDP those that are connected to nobody are read", () => {
  const table = [
    "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops",
    "  113: 0100007F:1CE8 00000000:0000 07 00000000:00000000 00:00000000 00000000  1000        0 101 2 0000000000000000 0",
    "  113: 0100007F:1CE8 0100007F:C755 01 00000000:00000000 00:00000000 00000000  1000        0 102 2 0000000000000000 0",
    "",
  ].join("\n");
  expect(Object.fromEntries(listeningDatagrams(table))).toEqual({ "udp 0100007F:1CE8": "101" });
});

test("at the addresses that are drawn is told who listens there", async () => {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const open = `tcp://localhost:${port}`;
  const drawn = { name: "ads", listen: [open, "tcp://[::1]:1"] };
  expect(await doorsOf("/p", drawn, [process.pid])).toEqual([
    { place: open, pid: process.pid, isOpen: true },
    { place: "tcp://[::1]:1", pid: null, isOpen: false },
  ]);
  expect(await doorsOf("/p", drawn, [])).toMatchObject([{ pid: null, isOpen: true }, { isOpen: false }]);
});

test("at the addresses that are announced is told who listens there, or at all of the host", async () => {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  const { port } = server.address() as AddressInfo;
  const drawn = { name: "ads", listen: ["tcp://0.0.0.0:0"] };
  const here = `tls://127.0.0.1:${port}`;
  const elsewhere = `tls://192.0.2.1:${port}`;
  expect(await doorsOf("/p", drawn, [process.pid], [here, elsewhere])).toEqual([
    { place: here, pid: process.pid, isOpen: true },
    { place: elsewhere, pid: null, isOpen: false },
  ]);
});

test("of datagrams, too", async () => {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "0.0.0.0", resolve));
  const { port } = socket.address();
  const drawn = { name: "ads", listen: ["udp://0.0.0.0:0"] };
  const places = [`udp+keys://127.0.0.1:${port}`, `udp+keys://192.0.2.1:${port}`];
  const doors = await doorsOf("/p", drawn, [process.pid], places);
  socket.close();
  expect(doors).toEqual([
    { place: places[0], pid: process.pid, isOpen: true },
    { place: places[1], pid: null, isOpen: false },
  ]);
});

test("a binary's sockets are told by who listens there, those of others and what has died apart", async () => {
  const path = (name: string): string => join(folder, name);
  const long = "a".repeat(45);
  await listen(path("ads.00000000000000aa.sock"));
  await writeFile(path("ads.00000000000000bb.sock"), "");
  await listen(path("ads-two.00000000000000cc.sock"));
  await writeFile(path("ads.hello.sock"), "");
  expect(await doorsOf("/p", ads, [process.pid])).toEqual([
    { place: `unix:${path("ads.00000000000000aa.sock")}`, pid: process.pid, isOpen: true },
    { place: `unix:${path("ads.00000000000000bb.sock")}`, pid: null, isOpen: false },
  ]);
  expect(await doorsOf("/p", { name: "ads-two", listen: [] }, [])).toEqual([
    { place: `unix:${path("ads-two.00000000000000cc.sock")}`, pid: null, isOpen: true },
  ]);
  // Cut as the binary itself does it.
  const cut = path(`${"a".repeat(21)}~${hashOf(long)}.00000000000000dd.sock`);
  await listen(cut);
  expect(await doorsOf("/p", { name: long, listen: [] }, [process.pid])).toEqual([
    { place: `unix:${cut}`, pid: process.pid, isOpen: true },
  ]);
});

test("where no folder is, nobody listens", async () => {
  vi.stubEnv("PENSTOCK_RUN", join(folder, "none"));
  expect(await doorsOf("/p", ads, [process.pid])).toEqual([]);
});

test.each([
  ["tcp://127.0.0.1:7400", "0100007F:1CE8"],
  ["tcp://localhost:80", "0100007F:0050"],
  ["tls://10.20.30.40:443", "281E140A:01BB"],
  ["tcp://[::1]:7400", "00000000000000000000000001000000:1CE8"],
  ["tcp://[2001:db8::5:a]:1", "B80D012000000000000000000A000500:0001"],
  ["tcp://[::ffff:10.0.0.5]:1", "0000000000000000FFFF00000500000A:0001"],
  ["udp://127.0.0.1:7400", "udp 0100007F:1CE8"],
  ["udp+keys://127.0.0.1:7400", "udp 0100007F:1CE8"],
  ["udp://0.0.0.0:7400", "udp 00000000000000000000000000000000:1CE8", "udp 00000000:1CE8"],
  ["tcp://0.0.0.0:7400", "00000000000000000000000000000000:1CE8", "00000000:1CE8"],
  ["tcp://models.example:7400", "00000000000000000000000000000000:1CE8", "00000000:1CE8"],
])("knows %s in the tables of the system", (address, ...keys) => {
  expect(tableKeys(address)).toEqual(keys);
});
