import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { doorsOf, listeningSockets } from "./doors.js";
import { hashOf } from "./runFolder.js";

let folder: string;
const servers: Server[] = [];
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

test("a binary's sockets are told by who listens there, those of others and what has died apart", async () => {
  const path = (name: string): string => join(folder, name);
  const long = "a".repeat(45);
  await listen(path("ads.00000000000000aa.sock"));
  await writeFile(path("ads.00000000000000bb.sock"), "");
  await listen(path("ads-two.00000000000000cc.sock"));
  await writeFile(path("ads.hello.sock"), "");
  expect(await doorsOf("/p", "ads", [process.pid])).toEqual([
    { path: path("ads.00000000000000aa.sock"), pid: process.pid, isOpen: true },
    { path: path("ads.00000000000000bb.sock"), pid: null, isOpen: false },
  ]);
  expect(await doorsOf("/p", "ads-two", [])).toEqual([
    { path: path("ads-two.00000000000000cc.sock"), pid: null, isOpen: true },
  ]);
  // Cut as the binary itself does it.
  const cut = path(`${"a".repeat(21)}~${hashOf(long)}.00000000000000dd.sock`);
  await listen(cut);
  expect(await doorsOf("/p", long, [process.pid])).toEqual([{ path: cut, pid: process.pid, isOpen: true }]);
});

test("where no folder is, nobody listens", async () => {
  vi.stubEnv("PENSTOCK_RUN", join(folder, "none"));
  expect(await doorsOf("/p", "ads", [process.pid])).toEqual([]);
});
