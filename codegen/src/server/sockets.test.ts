import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { Duplex } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WebSocket } from "ws";
import type { LiveSample, LiveSchema } from "../contract/index.js";
import { LIMITS } from "./http/limits.js";
import { BrowserSocket } from "./sockets/browserSocket.js";
import { BrowserHub } from "./sockets/hub.js";
import { makeSocketServer } from "./sockets/upgrade.js";
import { TestServer } from "./testing/testServer.js";
import { TestSocket } from "./testing/testSocket.js";
import { until } from "./testing/until.js";

let server: TestServer;
let project: string;
beforeAll(async () => {
  server = await TestServer.start();
  project = await server.create("mine");
});
afterAll(() => server.stop());

/** The server's end of a browser that takes nothing while `unsent` stands. */
class FakeWebSocket extends EventEmitter {
  OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  // oxlint-disable-next-line typescript/no-explicit-any -- messages of every form
  sent: any[] = [];
  pings = 0;
  ended = "";
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  ping(): void {
    this.pings++;
  }
  close(code: number): void {
    this.ended = `close ${code}`;
  }
  terminate(): void {
    this.ended = "terminated";
    this.readyState = 3;
  }
}

function fakeBrowser(): { peer: FakeWebSocket; browser: BrowserSocket; clock: { now: number } } {
  const peer = new FakeWebSocket();
  const clock = { now: 0 };
  const events = { opened: () => undefined, gone: () => undefined };
  const browser = new BrowserSocket(peer as unknown as WebSocket, events, () => clock.now);
  browser.project = "p";
  return { peer, browser, clock };
}
const schema = {
  type: "schema",
  binary: "app",
  services: [],
  calls: [],
  flows: [],
  pools: [],
} as unknown as LiveSchema;
const sample = (seq: number): LiveSample => ({ type: "sample", seq, t: seq * 100 }) as unknown as LiveSample;

test("row 18: a browser that lost its socket opens another and is told everything again", async () => {
  const first = await TestSocket.open(server, project);
  await first.next("binaries");
  first.close();
  const second = await TestSocket.open(server, project);
  const opened = await second.next("opened");
  expect(opened.revision).toMatch(/^[0-9a-f]{32}$/);
  await second.next("build");
  await second.next("binaries");
  second.close();
});

test("should give a tab no sample of a project that it does not show any more", () => {
  const { peer, browser, clock } = fakeBrowser();
  browser.offerSample("before", schema, sample(1));
  expect(peer.sent).toEqual([]);
  clock.now += 100;
  browser.offerSample("p", schema, sample(2));
  expect(peer.sent).toMatchObject([{ project: "p", sample: { seq: 2 } }]);
});

test("row 20: a slow browser gets fewer samples and is told how many it missed", async () => {
  const { peer, browser, clock } = fakeBrowser();
  browser.offerSample("p", schema, sample(1));
  expect(peer.sent).toHaveLength(1);
  peer.bufferedAmount = LIMITS.unsentSkipBytes + 1;
  for (let seq = 2; seq <= 5; seq++) {
    clock.now += 100;
    browser.offerSample("p", schema, sample(seq));
  }
  await until("it looked again", () => peer.sent.length === 1);
  peer.bufferedAmount = 0;
  clock.now += 100;
  await until("the browser catches up", () => peer.sent.length > 1);
  expect(peer.sent[1]).toMatchObject({ type: "live-sample", sample: { seq: 5 }, skipped: 3 });
});

test("row 20: a browser that takes nothing at all is let go, and others are not held up", () => {
  const slow = fakeBrowser();
  const quick = fakeBrowser();
  slow.peer.bufferedAmount = LIMITS.unsentSkipBytes + 1;
  slow.browser.send({ type: "error", message: "x" });
  slow.clock.now += LIMITS.unsentCloseMs + 1;
  slow.browser.send({ type: "error", message: "x" });
  expect(slow.peer.ended).toBe("terminated");
  quick.browser.send({ type: "error", message: "x" });
  expect(quick.peer.sent).toHaveLength(1);
  const full = fakeBrowser();
  full.peer.bufferedAmount = LIMITS.unsentCloseBytes + 1;
  full.browser.send({ type: "error", message: "x" });
  expect(full.peer.ended).toBe("terminated");
});

test("row 19: a browser that answers no ping for 45 s is dropped, by a clock that stands still in sleep", () => {
  const { peer, browser, clock } = fakeBrowser();
  clock.now += LIMITS.pongWithinMs - 1;
  browser.checkAlive();
  expect([peer.pings, peer.ended]).toEqual([1, ""]);
  peer.emit("pong");
  clock.now += LIMITS.pongWithinMs - 1;
  browser.checkAlive();
  expect(peer.ended).toBe("");
  clock.now += 2;
  browser.checkAlive();
  expect(peer.ended).toBe("terminated");
});

test("row 21: 10,000 updates a second reach a browser ten times a second, the newest each time", async () => {
  const { peer, browser, clock } = fakeBrowser();
  let seq = 0;
  for (let second = 0; second < 20; second++) {
    for (let count = 0; count < 500; count++) {
      clock.now += 0.1;
      browser.offerSample("p", schema, sample(++seq));
    }
    await until("the timer has sent", () => peer.sent.length >= 1);
  }
  await until("the last totals are there", () => peer.sent.at(-1).sample.seq === seq);
  expect(peer.sent.length).toBeLessThanOrEqual(21);
  expect(peer.sent.every(({ skipped }) => skipped === 0)).toBe(true);
});

test("row 22: the 101st tab is refused with the reason before the upgrade, open tabs stay", async () => {
  const tabs = await Promise.all(Array.from({ length: LIMITS.sockets }, () => TestSocket.open(server)));
  await expect(TestSocket.open(server)).rejects.toThrow("HTTP 503");
  expect(tabs.every(({ closed }) => closed === null)).toBe(true);
  tabs[0]?.close();
  const another = await until("a place is free", () => TestSocket.open(server).catch(() => null));
  another.close();
  for (const tab of tabs) tab.close();
});

/** The code a socket is closed with after `misuse`. */
async function closeCode(misuse: (socket: TestSocket) => void): Promise<number> {
  const socket = await until("a socket opens", () => TestSocket.open(server).catch(() => null));
  misuse(socket);
  return (await until("it is closed", () => socket.closed)).code;
}

test("should close a socket that sends binary, unknown or large messages", async () => {
  expect(await closeCode(({ socket }) => socket.send(Buffer.from([1])))).toBe(1003);
  expect(await closeCode(({ socket }) => socket.send("{}"))).toBe(1008);
  expect(await closeCode(({ socket }) => socket.send('{"type":"open","project":"../../x"}'))).toBe(1008);
  expect(await closeCode(({ socket }) => socket.send("x".repeat(65_537)))).toBe(1009);
});

test.each(["message", "ping"])("should close a socket that sends too much within a second: %s", (event) => {
  const { peer, clock } = fakeBrowser();
  const say = (times: number): void => {
    for (let count = 0; count < times; count++) peer.emit(event, Buffer.from('{"type":"close"}'), false);
  };
  say(LIMITS.socketMessagesPerSecond);
  clock.now += 1_000;
  say(LIMITS.socketMessagesPerSecond);
  expect(peer.ended).toBe("");
  say(1);
  expect(peer.ended).toBe("close 1008");
});

test("should close a socket whose message comes in too many pieces, as each keeps what it came in", async () => {
  const inPieces = ({ socket }: TestSocket): void => {
    for (let count = 0; count <= LIMITS.socketFragments; count++) socket.send(" ", { fin: false });
  };
  expect(await closeCode(inPieces)).toBe(1008);
  // The same of one frame, which comes byte by byte.
  const sent: Buffer[] = [];
  const peer = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => done(void sent.push(chunk)),
  });
  const sockets = makeSocketServer();
  const key = { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-version": "13" };
  const request = { method: "GET", headers: { upgrade: "websocket", ...key } } as unknown as IncomingMessage;
  const told = new Promise<Error>((resolve) =>
    sockets.handleUpgrade(request, peer, Buffer.alloc(0), (client) => client.on("error", resolve)),
  );
  // Text, masked with zeros, of 16,000 bytes.
  peer.push(Buffer.from([0x81, 0xfe, 16_000 >> 8, 16_000 & 255, 0, 0, 0, 0]));
  for (let count = 0; count <= LIMITS.socketChunks; count++) peer.push(Buffer.from(" "));
  expect((await told).message).toBe("Too many buffered chunks");
});

test("should cut off who goes on sending after being told to go", () => {
  const { peer } = fakeBrowser();
  const say = (times: number): void => {
    for (let count = 0; count < times; count++) peer.emit("message", Buffer.from("{}"), false);
  };
  say(1 + LIMITS.socketMessagesPerSecond);
  expect(peer.ended).toBe("close 1008");
  peer.readyState = 2;
  say(LIMITS.socketMessagesTooMany);
  expect(peer.ended).toBe("terminated");
});

test("should tell of the last of many projects that are opened while it tells of one, not of all", async () => {
  const told: string[] = [];
  let end = (): void => undefined;
  const hub = new BrowserHub((_socket, project) => {
    told.push(project);
    return new Promise((resolve) => (end = resolve));
  });
  const peer = new FakeWebSocket();
  hub.add(peer as unknown as WebSocket);
  const id = (at: number): string => String(at).padStart(20, "0");
  for (let at = 0; at < 50; at++)
    peer.emit("message", Buffer.from(JSON.stringify({ type: "open", project: id(at) })), false);
  expect(told).toEqual([id(0)]);
  end();
  await until("it tells of another", () => told.length > 1);
  expect(told).toEqual([id(0), id(49)]);
  end();
  hub.close();
});

test("should give a tab that opens a project no sample before the past of the charts", async () => {
  let end = (): void => undefined;
  const hub = new BrowserHub(async (socket) => {
    await new Promise<void>((resolve) => (end = resolve));
    socket.send({ type: "live-history", project, binary: "app", samples: [] });
  });
  const peer = new FakeWebSocket();
  hub.add(peer as unknown as WebSocket);
  peer.emit("message", Buffer.from(JSON.stringify({ type: "open", project })), false);
  hub.publishSample(project, schema, sample(1));
  hub.publish({ type: "live-lost", project, binary: "another", lastMs: 1 });
  end();
  await until("it is told everything, and then a sample", () => {
    hub.publishSample(project, schema, sample(2));
    return peer.sent.at(-1)?.type === "live-sample";
  });
  expect(peer.sent.map(({ type }) => type)).toEqual(["live-lost", "live-history", "live-sample"]);
  hub.close();
});

test("row 23: a client that never ends its headers is answered 408 while others are served", async () => {
  const slow = connect(server.server.port, "127.0.0.1");
  let answer = "";
  slow.on("data", (chunk) => (answer += String(chunk)));
  slow.on("error", () => undefined);
  const ended = new Promise((resolve) => slow.once("close", resolve));
  slow.write(`GET /healthz HTTP/1.1\r\nHost: ${server.host}\r\n`);
  const drip = setInterval(() => slow.write("X-A: b\r\n"), 500);
  expect((await server.raw("GET", "/healthz")).status).toBe(200);
  await ended;
  clearInterval(drip);
  expect(answer).toMatch(/^HTTP\/1\.1 408/);
});
