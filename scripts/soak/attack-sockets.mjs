import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { ANSWER_WITHIN_MS, ask, flood, many, open } from "./attack.mjs";

/**
 * What holds a WebSocket of a binary's control address, or of the server: with the token, whatever frames there are;
 * without it, handshakes that never end.
 */

/** 100 sockets of 64 kB a message and of some MB that a slow one has not taken, and what an allocator keeps. */
const CONTROL_MOST_BYTES = 96e6;
/** The same, and what a collector of garbage leaves lying. */
const SERVER_MOST_BYTES = 384e6;

const TEXT = 1;
const PING = 9;
const PONG = 10;
/** So long is each flood. */
const FLOOD_MS = 10_000;
/** As many as are let in, beside the honest one. */
const SOCKETS = 99;

/** One frame, masked with zeros; `claims`: the length that its head says. */
function frame(opcode, payload, { fin = true, masked = true, claims = payload.length } = {}) {
  const length =
    claims < 126 ? [claims] : claims < 65_536 ? [126, claims >> 8, claims & 255] : [127, ...eight(claims)];
  length[0] |= masked ? 0x80 : 0;
  return Buffer.concat([
    Buffer.from([(fin ? 0x80 : 0) | opcode, ...length, ...(masked ? [0, 0, 0, 0] : [])]),
    Buffer.from(payload),
  ]);
}
function eight(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
const text = (message) => frame(TEXT, JSON.stringify(message));
const pieces = (piece) =>
  Buffer.concat(Array.from({ length: Math.ceil(65_536 / piece.length) }, () => piece));

const handshake = ({ path, host, port, headers }, end = "\r\n") =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n${headers}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n${end}`;

/** One that is let in, with what its first bytes are. */
const enter = async (target, first = "", deaf = false) => {
  const socket = await open(target, "", deaf);
  socket.write(handshake(target));
  // What comes before its answer is none of the upgrade.
  if (deaf) await sleep(100);
  else await Promise.race([once(socket, "data"), once(socket, "close"), sleep(2_000)]);
  if (first.length > 0) socket.write(first);
  return socket;
};

/** All of them at once, each in anew when it was sent away. */
async function floods(target, first, piece, count = SOCKETS) {
  const until = performance.now() + FLOOD_MS;
  const last = [];
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      while (performance.now() < until) {
        last[at]?.destroy();
        last[at] = await enter(target, first);
        await flood(last[at], piece, until);
        await sleep(50);
      }
    }),
  );
  return last;
}

/** Just below the rate that is allowed, and never read unless `listens`. */
async function dripping(target, messages, listens = false) {
  const sockets = await many(SOCKETS, () => enter(target, "", !listens));
  await sleep(500);
  const until = performance.now() + 2 * FLOOD_MS;
  for (let at = 0; performance.now() < until; at++) {
    const piece = Buffer.concat(messages.map((message) => message(at)));
    for (const socket of sockets) if (!socket.destroyed && socket.writable) socket.write(piece);
    await sleep((1_100 * messages.length) / 90);
  }
  return sockets;
}

/** `messages`: what its owner may say, by number; `heavy`: of what is answered at length. */
const attacksOn = (target, messages, heavy) => ({
  "400 sockets": () => many(400, () => enter(target)),
  "small messages without end": () => floods(target, "", pieces(messages[0](1))),
  "messages that are none, without end": () => floods(target, "", pieces(frame(TEXT, "{}"))),
  "a message in pieces without end": () =>
    floods(
      target,
      frame(TEXT, " ", { fin: false }),
      Buffer.concat([frame(0, " ", { fin: false }), pieces(frame(0, "", { fin: false }))]),
    ),
  "pings without end": () => floods(target, "", pieces(frame(PING, "x".repeat(125)))),
  "frames of 2^63 bytes": () =>
    floods(target, "", Buffer.concat([frame(TEXT, "", { claims: 2n ** 63n }), pieces(Buffer.from("x"))])),
  "frames without a mask": () => floods(target, "", pieces(frame(TEXT, "{}", { masked: false }))),
  "deep JSON": () => floods(target, "", frame(TEXT, "[".repeat(65_000))),
  "10,000 subscriptions": () => dripping(target, messages, true),
  "clients that read nothing": () => dripping(target, heavy),
  "4,500 handshakes without an end": () => many(4_500, () => open(target, handshake(target, ""))),
  "4,500 without the token": () => many(4_500, () => open(target, handshake({ ...target, headers: "" }))),
  "4,500 silent connections": () => many(4_500, () => open(target)),
});

/** Somebody honest, let in before the others: a message and what its answer holds, and a request beside it. */
async function honestOn(target, message, answer, request) {
  const socket = await enter(target);
  let said = "";
  let heard = () => undefined;
  socket.on("data", (chunk) => {
    said += chunk;
    if (said.includes(answer)) heard(true);
  });
  return async () => {
    const started = performance.now();
    said = "";
    const hears = new Promise((resolve) => (heard = resolve));
    // A pong that nobody asked for counts as one.
    socket.write(Buffer.concat([message, frame(PONG, "")]));
    const limit = sleep(ANSWER_WITHIN_MS).then(() => false);
    const [isHeard, reply] = await Promise.all([Promise.race([hears, limit]), ask(target, request)]);
    return isHeard && reply?.status === 200 ? { milliseconds: performance.now() - started } : undefined;
  };
}

/** A binary's control address. */
export async function controlDoor({ host, port, token }) {
  const headers = `Authorization: Bearer ${token}\r\n`;
  const target = { host, port, path: "/live", headers };
  const call = (id, method, params) => text({ jsonrpc: "2.0", id, method, params });
  const watch = (at) => call(at, "live.watch", { close: at % 2 === 0 });
  const wrong = (at) => call(at, "pool.resize", { pool: `p${"x".repeat(60)}${at}`, threads: 3 });
  return {
    door: "control address",
    attacks: attacksOn(target, [watch, watch], [wrong, wrong, wrong]),
    honest: await honestOn(
      target,
      call(1, "live.watch", { close: true }),
      '"result":{"intervalMs"',
      `GET /readyz HTTP/1.1\r\nHost: ${host}:${port}\r\n${headers}Connection: close\r\n\r\n`,
    ),
    most: CONTROL_MOST_BYTES,
  };
}

/** The designer's server. */
export async function serverDoor({ host, port, token }) {
  const at = { host, port };
  const bearer = `Authorization: Bearer ${token}\r\n`;
  const list = `GET /api/projects HTTP/1.1\r\nHost: ${host}:${port}\r\n${bearer}Connection: close\r\n\r\n`;
  const listed = await fetch(`http://${host}:${port}/api/projects`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const [{ id: project }] = await listed.json();
  const headers = `Origin: http://${host}:${port}\r\nSec-WebSocket-Protocol: penstock, token.${token}\r\n`;
  const target = { ...at, path: "/api/socket", headers };
  const nodes = Array.from({ length: 900 }, (_, of) => `service:${"x".repeat(50)}${of}`);
  const view = text({ type: "view", nodes });
  const opened = text({ type: "open", project });
  return {
    door: "server",
    attacks: attacksOn(target, [() => opened, () => view], [() => opened, () => opened]),
    honest: await honestOn(target, opened, '"type":"opened"', list),
    most: SERVER_MOST_BYTES,
  };
}
