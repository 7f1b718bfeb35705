import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { connectLive, type LiveConnection } from "../../src/live/index.js";

/** A binary may be a stranger's program: what it sends to the server does not hold the server. */

let server: WebSocketServer;
let live: LiveConnection | undefined;
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
});
afterEach(() => {
  vi.restoreAllMocks();
  live?.close();
  for (const client of server.clients) client.terminate();
  server.close();
});

/** Connects to it; what the binary does first is up to it. */
async function connected(): Promise<WebSocket> {
  const control = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [socket] = await new Promise<[WebSocket]>((resolve) => {
    server.once("connection", (client) => resolve([client]));
    // The clock stands still: all of it comes at once, however slow this machine is.
    live = connectLive({ control, token: "t" }, () => 0);
  });
  return socket;
}

const ended = (socket: WebSocket): Promise<unknown> =>
  new Promise((resolve) => socket.once("close", resolve));

test("should answer a binary's ping", async () => {
  const socket = await connected();
  const answer = new Promise((resolve) => socket.once("pong", (data) => resolve(String(data))));
  socket.ping("are you there");
  expect(await answer).toBe("are you there");
});

test.each([
  ["pings", [0x89, 0x00]],
  ["words that are no frames", [0x81, 0x02, 0x7b, 0x7d]],
])("should cut off a binary that sends %s without an end, which held everybody up", async (_, frame) => {
  const answers = vi.spyOn(WebSocket.prototype, "pong");
  const socket = await connected();
  const gone = ended(socket);
  // Past the library, which would take its time for each of them.
  const { _socket: raw } = socket as unknown as { _socket: { write(bytes: Buffer): void } };
  raw.write(Buffer.from(Array.from({ length: 20_000 }, () => frame).flat()));
  await gone;
  expect(answers.mock.calls.length).toBeLessThan(10_000);
});
