import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import type { AddressInfo } from "node:net";
import { Supervisor } from "../run/index.js";
import { makeFake } from "../run/testing/makeFake.js";
import type { LiveSample } from "../contract/index.js";
import { CommandRefused, connectLive, lostAfterMs, type LiveConnection } from "./connectLive.js";
import { EMPTY_ROWS, EMPTY_SCHEMA } from "./testing/emptyFrames.js";

let folder: string;
let supervisor: Supervisor | null = null;
let live: LiveConnection | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "penstock-live-"));
  process.env["XDG_STATE_HOME"] = join(folder, "state");
});
afterEach(async () => {
  live?.close();
  await supervisor?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the fake and connects to it; resolves when its first sample is there. */
async function running(config: Record<string, unknown>): Promise<{ live: LiveConnection; pid: number }> {
  const fake = await makeFake(folder, config);
  const started = new Supervisor({ projectDir: folder, binary: "app", ...fake, token: "t" });
  supervisor = started;
  const control = await new Promise<string>((resolve) => {
    started.once("ready", (ready) => resolve(ready.control));
    started.start();
  });
  const connection = connectLive({ control, token: "t" });
  live = connection;
  await new Promise((resolve) => connection.once("sample", resolve));
  return { live: connection, pid: started.status.pid as number };
}
const event = (from: LiveConnection, name: "lost" | "found" | "sample"): Promise<unknown> =>
  new Promise((resolve) => from.once(name, resolve));

test("row 3: a stopped process is lost within 2 s and found again when it goes on", async () => {
  const { live: connection, pid } = await running({});
  process.kill(pid, "SIGSTOP");
  await event(connection, "lost");
  expect(connection.isLost).toBe(true);
  for (const intervalMs of [100, 1000]) expect(lostAfterMs(intervalMs)).toBeLessThan(2_000);
  process.kill(pid, "SIGCONT");
  await event(connection, "found");
  expect(connection.isLost).toBe(false);
});

test("says that nobody listens any more, and is lost when it is told so, however patient", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const control = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = connectLive({ control, token: "t" }, undefined, 1e9);
  live = connection;
  await new Promise((resolve) => server.once("connection", resolve));
  for (const client of server.clients) client.terminate();
  server.close();
  await new Promise<void>((resolve) => connection.once("refused", resolve));
  expect(connection.isLost).toBe(false);
  const lost = event(connection, "lost");
  connection.lose();
  await lost;
  expect(connection.isLost).toBe(true);
});

test("gives out nothing more once it is closed, though it has been read", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const gone = new Promise((resolve) =>
    server.once("connection", (socket, { socket: wire }) => {
      socket.once("close", resolve);
      wire.cork();
      for (const pid of [1, 2, 3]) socket.send(JSON.stringify({ ...EMPTY_SCHEMA, pid }));
      wire.uncork();
    }),
  );
  const connection = connectLive({
    control: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: "t",
  });
  live = connection;
  const told: number[] = [];
  connection.on("schema", ({ pid }) => {
    told.push(pid);
    connection.close();
  });
  await gone;
  expect(told).toEqual([1]);
  server.close();
});

test("row 19: an hour of sleep is one jump in time between two samples, nothing is made up", async () => {
  const { live: connection } = await running({ jumpAfter: 4, tickMs: 20 });
  const samples: LiveSample[] = [];
  connection.on("sample", (sample) => samples.push(sample));
  while (samples.length < 12) await event(connection, "sample");
  const steps = samples.slice(1).map((sample, index) => sample.t - (samples[index]?.t ?? 0));
  expect(steps.filter((step) => step === 3_600_000).length).toBeLessThanOrEqual(1);
  expect(steps.every((step) => step === 100 || step === 3_600_000)).toBe(true);
});

test("row 41: errors a handler threw are relayed exactly as the binary counted them", async () => {
  const { live: connection } = await running({ throwing: true });
  const sample = (await event(connection, "sample")) as LiveSample;
  const [, requests, errors] = sample.services[0] as unknown as number[];
  expect(errors).toBe(sample.seq);
  expect(requests).toBe(sample.seq * 3);
});

test("should give a command's result, and the rule's problem when it is refused", async () => {
  const { live: connection } = await running({});
  await expect(connection.command("pool.resize", { pool: "front", threads: 5 })).resolves.toEqual({
    asked: 5,
    actual: 5,
  });
  expect(connection.schema?.pools[0]?.threads).toHaveLength(5);
  const refused = await connection
    .command("pool.resize", { pool: "front", threads: 0 })
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CommandRefused);
  expect((refused as CommandRefused).data).toEqual({ code: "PS501", help: "1 to 1024 threads" });
});

test("should take what came in time for that, though this process stood still meanwhile", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const sample = JSON.stringify({ type: "sample", t: 1, seq: 1, ...EMPTY_ROWS, process: {} });
  server.on("connection", (socket) => {
    socket.send(JSON.stringify(EMPTY_SCHEMA));
    socket.on("message", (data) => {
      const { id } = JSON.parse((data as Buffer).toString()) as { id: number };
      for (let count = 0; count < 50; count++) socket.send(sample);
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: "in force" }));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    });
  });
  const control = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = connectLive({ control, token: "t" });
  live = connection;
  // The handshake may take longer than a binary may be silent.
  await new Promise((resolve) => connection.once("schema", resolve));
  let losses = 0;
  connection.on("lost", () => losses++);
  expect(await connection.command("sampling.set", {}, 1_000)).toBe("in force");
  expect(losses).toBe(0);
  server.close();
  for (const client of server.clients) client.terminate();
});

test("should wait for a command's answer as long as for the binary that it is patient with", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const asked = new Promise<() => void>((resolve) =>
    server.on("connection", (socket) => {
      socket.send(JSON.stringify(EMPTY_SCHEMA));
      socket.on("message", (data) => {
        const { id } = JSON.parse((data as Buffer).toString()) as { id: number };
        resolve(() => socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: "in force" })));
      });
    }),
  );
  const control = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = connectLive({ control, token: "t" }, undefined, 60_000);
  live = connection;
  await new Promise((resolve) => connection.once("schema", resolve));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const command = connection.command("pool.resize", {});
    const answer = await asked;
    let refused = false;
    command.catch(() => (refused = true));
    vi.advanceTimersByTime(59_999);
    // In the turns after the one in which it is late a command is refused.
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(refused).toBe(false);
    answer();
    expect(await command).toBe("in force");
  } finally {
    vi.useRealTimers();
    server.close();
    for (const client of server.clients) client.terminate();
  }
});

test("should ignore frames that are not what a binary says, and go on", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  server.on("connection", (socket) => {
    for (const bad of ["", "null", "[]", "{", '{"type":"sample"}', '{"type":"schema"}', '{"type":"other"}'])
      socket.send(bad);
    socket.send(JSON.stringify({ ...EMPTY_SCHEMA, services: [{ id: -1 }] }));
    socket.send(JSON.stringify(EMPTY_SCHEMA));
    socket.send(
      JSON.stringify({ type: "sample", t: 1, seq: 1, ...EMPTY_ROWS, services: [["x"]], process: {} }),
    );
    socket.send(JSON.stringify({ type: "sample", t: 1, seq: 1, ...EMPTY_ROWS, stuck: ["x"], process: {} }));
    socket.send(
      JSON.stringify({ type: "sample", t: 1, seq: 1, ...EMPTY_ROWS, traces: [[0, 1, 2]], process: {} }),
    );
    socket.send(JSON.stringify({ type: "sample", t: 2, seq: 2, ...EMPTY_ROWS, process: {} }));
  });
  const connection = connectLive({
    control: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: "t",
  });
  live = connection;
  const samples: LiveSample[] = [];
  connection.on("sample", (sample) => samples.push(sample));
  await event(connection, "sample");
  expect(samples.map(({ seq }) => seq)).toEqual([2]);
  server.close();
  for (const client of server.clients) client.terminate();
});
