import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { makeFake } from "../../src/run/testing/makeFake.js";
import { startByHand } from "../../src/run/testing/startByHand.js";
import { copyExample } from "../support/project.js";
import { Penstock } from "./penstock.js";

/** The example hello, with a second binary that serves the same. What runs is in apart.test.ts. */
const penstock = new Penstock();
let dir: string;

interface Drawn {
  bundles: { name: string }[];
  binaries: { name: string; bundles: string[]; listen?: string[]; discovery?: string }[];
}

beforeAll(() => {
  dir = mkdtempSync(path.join(penstock.folder, "resolve-"));
  copyExample("hello", dir);
  const file = path.join(dir, "topology.json");
  const drawn = JSON.parse(readFileSync(file, "utf8")) as Drawn;
  drawn.binaries.push({ name: "second", bundles: drawn.bundles.map(({ name }) => name) });
  writeFileSync(file, JSON.stringify(drawn));
});
afterAll(() => penstock.cleanUp());

const resolve = (...args: string[]) => penstock.run(["resolve", dir, ...args]);

test("of several binaries that serve it the first one is asked, whichever is looked at", async () => {
  const first = await resolve("Addition");
  expect(first.code).toBe(3);
  expect(first.stdout).toMatch(/^Addition leads to hello, as \w+\/Addition\n$/);
  expect(first.stderr).toContain("second serves it too and is not asked: hello comes first in the drawing.");
  expect(first.stderr).toContain("hello is not running");
  const second = await resolve("second/Addition");
  expect(second.stdout).toMatch(/^Addition leads to second, as /);
  expect(second.stderr).toContain("hello serves it too, and is the one that is asked");
});

test("what is not there is said, with what was meant", async () => {
  const near = await resolve("Additio");
  expect(near).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Did you mean Addition?") as string,
  });
  const wrong = await resolve("third/Addition");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("hello, second does.") as string });
  expect((await resolve("a/b/c")).code).toBe(2);
});

/** A NATS server that knows of one process of `hello`. */
async function knowing(...addresses: string[]): Promise<string> {
  const said = JSON.stringify({ penstock: 1, binary: "hello", instance: "a".repeat(16), addresses });
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write("INFO {}\r\n");
    socket.on("data", (bytes) => {
      const heard = bytes.toString();
      if (heard.includes("PING\r\n")) socket.write("PONG\r\n");
      const [, inbox] = /PUB \S+ (\S+) 0\r\n/.exec(heard) ?? [];
      if (inbox !== undefined) socket.write(`MSG ${inbox} 1 ${said.length}\r\n${said}\r\n`);
    });
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function draw(listen: string, discovery?: string, name = "hello"): void {
  const file = path.join(dir, "topology.json");
  const before = readFileSync(file, "utf8");
  onTestFinished(() => writeFileSync(file, before));
  const drawn = JSON.parse(before) as Drawn;
  Object.assign(drawn.binaries[0]!, { listen: [listen], discovery });
  Object.assign(drawn, { name });
  writeFileSync(file, JSON.stringify(drawn));
}

test("a process that is attached, and listens here, is told once", async () => {
  const token = "by-hand";
  const fake = await makeFake(path.join(penstock.folder, "fake"), { binary: "hello" });
  const byHand = await startByHand(fake, { binary: "hello", token });
  onTestFinished(() => byHand.end());
  // What it listens at is its control port, which others would not be told.
  draw(`tcp://${byHand.control}`, undefined, "fake");
  expect(await resolve("Addition")).toMatchObject({
    stdout: expect.stringContaining(`a process started by hand at tcp://${byHand.control}`) as string,
  });
  const env = { PENSTOCK_CONTROL_TOKEN: token };
  expect(await penstock.run(["attach", byHand.control, dir], { env })).toMatchObject({ code: 0 });
  onTestFinished(async () => void (await penstock.run(["detach", dir])));
  const { code, stdout } = await resolve("Addition");
  const name = `hello@${byHand.control.slice(byHand.control.lastIndexOf(":") + 1)}`;
  expect(stdout).toContain(`  ${name} (process ${byHand.pid}), attached, at tcp://${byHand.control}\n`);
  expect(stdout).not.toContain("by hand");
  expect(code).toBe(0);
});

type Ran = Awaited<ReturnType<typeof resolve>>;
/** The first that is as expected. */
async function settled(run: () => Promise<Ran>, expected: Partial<Ran>): Promise<Ran> {
  let last: Ran | undefined;
  await expect.poll(async () => (last = await run()), { timeout: 300_000 }).toMatchObject(expected);
  return last!;
}

const ANNOUNCED = ["tls://192.0.2.1:7400", "udp+keys://192.0.2.1:7401"];

test("of what is announced the address is shown that callers use", async () => {
  draw("udp://0.0.0.0:0", await knowing(...ANNOUNCED));
  // A busy machine does not hear it within the time that there is for it.
  const { stdout } = await settled(() => resolve("Addition"), { code: 0 });
  expect(stdout).toContain("announced at udp+keys://192.0.2.1:7401, not on this host");
  expect(stdout).not.toContain("tls://");
});

test("of a binary that a file lists those addresses are shown, or why there are none", async () => {
  draw("tcp://0.0.0.0:7400", "file:peers.json");
  const file = path.join(dir, "peers.json");
  onTestFinished(() => rmSync(file, { force: true }));
  const none = await resolve("Addition");
  expect(none).toMatchObject({ code: 3 });
  expect(none.stderr).toContain("Nobody says where it is: peers.json does not exist");
  const listed = [{ name: "hello.2/Sums", module: "hello", class: "Sums", ip: "2001:db8::5", port: 7401 }];
  writeFileSync(file, JSON.stringify({ hello: ["192.0.2.1:7400"], objects: listed }));
  const { code, stdout } = await resolve("Addition");
  expect(stdout).toContain("listed at tls://192.0.2.1:7400, not on this host");
  expect(stdout).toContain("listed at tls://[2001:db8::5]:7401, not on this host");
  expect(code).toBe(0);
  writeFileSync(file, "{}");
  expect((await resolve("Addition")).stderr).toContain("peers.json lists no process of it");
});

test("where callers use none of what is announced, that is said", async () => {
  draw("udp://127.0.0.1:0", await knowing(...ANNOUNCED));
  const nobody = expect.stringContaining("Nobody calls it") as string;
  const { code, stderr } = await settled(() => resolve("Addition"), { stderr: nobody });
  expect(stderr).toContain(
    "Nobody calls it: it announces itself at tls://192.0.2.1:7400, and by the drawing it is called over udp.",
  );
  expect(stderr).not.toContain("is not running");
  expect(code).toBe(3);
});
