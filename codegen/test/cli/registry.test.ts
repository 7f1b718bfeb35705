import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { copyExample } from "../support/project.js";
import { documentOf, Penstock } from "./penstock.js";

/** The example hello, in a binary with an address and one without. */
const penstock = new Penstock();
const server = createServer();
let dir: string;
let port: number;

interface Drawn {
  bundles: { name: string }[];
  binaries: { name: string; bundles: string[]; listen?: string[] }[];
}

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
  dir = mkdtempSync(path.join(penstock.folder, "registry-"));
  copyExample("hello", dir);
  const file = path.join(dir, "topology.json");
  const drawn = JSON.parse(readFileSync(file, "utf8")) as Drawn;
  drawn.binaries[0]!.listen = [`tcp://127.0.0.1:${port}`];
  drawn.binaries.push({ name: "second", bundles: drawn.bundles.map(({ name }) => name) });
  writeFileSync(file, JSON.stringify(drawn));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));
afterAll(() => penstock.cleanUp());

const registry = (...args: string[]) => penstock.run(["registry", dir, ...args]);
const bundleOf = (): string =>
  (JSON.parse(readFileSync(path.join(dir, "topology.json"), "utf8")) as Drawn).bundles[0]!.name;
const own = (): object => ({
  name: `hello/${bundleOf()}`,
  module: "hello",
  class: bundleOf(),
  ip: "127.0.0.1",
  port,
});

test("what is drawn is printed as FORB's registry, and what has no address is said", async () => {
  const printed = await registry();
  expect(printed.code).toBe(0);
  expect(printed.stderr).toContain("second is not in it: it listens at no address.");
  expect(JSON.parse(printed.stdout)).toEqual({ objects: [own()] });
  expect(documentOf(await registry("--json"))).toMatchObject({ ok: true, objects: [own()] });
});

test("it is written beside what other modules have in it, and over nothing else", async () => {
  const file = path.join(dir, "run", "peers.json");
  expect((await registry("--write", file)).code).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ objects: [own()] });
  const other = { name: "obj_name", module: "ns", class: "A", ip: "192.0.2.1", port: 13_994 };
  const old = { ...own(), port: 1 };
  writeFileSync(file, JSON.stringify({ objects: [old, other] }));
  expect((await registry("--write", file)).code).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ objects: [other, own()] });
  const same = { ...own(), module: "ns" };
  writeFileSync(file, JSON.stringify({ objects: [same] }));
  expect((await registry("--write", file)).stderr).toContain(
    `hello/${bundleOf()} is an object of another module`,
  );
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ objects: [same] });
  const drawing = path.join(dir, "topology.json");
  const before = readFileSync(drawing, "utf8");
  const refused = await registry("--write", drawing);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no list "objects"') as string,
  });
  expect(readFileSync(drawing, "utf8")).toBe(before);
});

test("an object leads to the binary and the services of the drawing, and who listens is told", async () => {
  const file = path.join(dir, "db.json");
  const objects = [own(), { name: "obj_name", module: "ns", class: "A", ip: "192.0.2.1", port: 13_994 }];
  writeFileSync(file, JSON.stringify({ objects }));
  const read = documentOf(await registry("--read", file, "--json"));
  expect(read).toMatchObject({
    ok: true,
    objects: [
      { ...own(), bundle: bundleOf(), binaries: ["hello"], listens: true },
      { bundle: null, services: [], binaries: [], listens: false },
    ],
  });
  const shown = await registry("--read", file);
  expect(shown.stdout).toContain(`hello/${bundleOf()}, a hello::${bundleOf()}, leads to hello (`);
  expect(shown.stdout).toContain("obj_name, a ns::A, leads to no bundle of the drawing");
  expect(shown.stdout).toContain("at 192.0.2.1 port 13994, where nobody listens on this host");
});

test("--running leaves out where nobody listens", async () => {
  expect(JSON.parse((await registry("--running")).stdout)).toEqual({ objects: [own()] });
  const file = path.join(dir, "topology.json");
  // Where nobody listens who is no system's service.
  writeFileSync(file, readFileSync(file, "utf8").replace(`127.0.0.1:${port}`, "127.0.0.1:1"));
  const none = await registry("--running");
  expect(JSON.parse(none.stdout)).toEqual({ objects: [] });
  expect(none.stderr).toContain("hello is not in it: nobody listens at tcp://127.0.0.1:1 here.");
});

test("wrong words are said", async () => {
  const file = path.join(dir, "none.json");
  expect((await registry("--read", file)).code).toBe(2);
  expect((await registry("--read", file, "--write", file)).code).toBe(2);
  writeFileSync(file, "[]");
  expect(await registry("--read", file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no list "objects"') as string,
  });
  expect(existsSync(path.join(dir, "run"))).toBe(false);
});
