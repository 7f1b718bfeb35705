import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { connectLive } from "../../live/index.js";
import { EMPTY_ROWS, EMPTY_SCHEMA } from "../../live/testing/emptyFrames.js";
import { figuresOnce } from "./watchFigures.js";

const sample = (t: number) => ({ type: "sample", t, seq: t, ...EMPTY_ROWS, process: {} });

test("figures of one second wait for a binary that says nothing for longer than a follower stands", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const frames: unknown[] = [EMPTY_SCHEMA, sample(0)];
  server.on("connection", (socket) => {
    for (const frame of frames) socket.send(JSON.stringify(frame));
  });
  const address = { control: `127.0.0.1:${(server.address() as AddressInfo).port}`, token: "t" };
  const figures = figuresOnce(address, 600_000);
  // Two followers after it, one after the other, hold it lost.
  for (let follower = 0; follower < 2; ++follower) {
    const live = connectLive(address);
    await once(live, "lost");
    live.close();
  }
  // Who had to connect once more is told, too.
  frames.push(sample(1000));
  for (const client of server.clients) client.send(JSON.stringify(sample(1000)));
  expect(await figures).toMatchObject({ t: 1000 });
  server.close();
});
