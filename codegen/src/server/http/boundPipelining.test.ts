import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { boundPipelining } from "./boundPipelining.js";

test("requests that are sent ahead stay in the socket beyond a few, and all are answered in the end", async () => {
  const sent = 1_000;
  const held: ServerResponse[] = [];
  let most = 0;
  let open = false;
  const server = createServer((_request, response) => {
    held.push(response);
    most = Math.max(most, held.length);
    if (open) answer();
  });
  const answer = (): void => {
    // One after the other, as a handler does that waits for something.
    setImmediate(() => held.shift()?.end("ok"));
  };
  boundPipelining(server);
  const paused = new Promise<void>((resolve) =>
    server.on("connection", (socket: Socket) => socket.once("pause", () => resolve())),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let answers = "";
  client.setEncoding("utf8").on("data", (text: string) => (answers += text));
  // Some 8 kB each: few of them come in one piece.
  const request = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(8_000)}\r\n\r\n`;
  client.write(request.repeat(sent - 1));
  client.end(request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  await paused;
  open = true;
  for (let i = held.length; i > 0; i--) answer();
  await once(client, "close");
  expect(answers.split("HTTP/1.1 200").length - 1).toBe(sent);
  expect(most).toBeLessThan(200);
  server.close();
});
