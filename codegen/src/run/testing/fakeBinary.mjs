#!/usr/bin/env node
// A stand-in for a generated binary: keeps its process contract (ready line, control socket with
// /live, SIGTERM, exit codes) and misbehaves as its configuration asks.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const config = JSON.parse(readFileSync(process.argv[process.argv.indexOf("--config") + 1], "utf8"));
const token = process.env.PENSTOCK_CONTROL_TOKEN;
const binary = config.binary ?? "app";
const startedAtMs = Date.now();

if (config.crashAtOnce) process.kill(process.pid, config.crashAtOnce);
if (config.exitAtOnce !== undefined) {
  console.error(config.reason ?? "");
  process.exit(config.exitAtOnce);
}
if (config.neverReady) setInterval(() => undefined, 1000);
else if (config.readyWhenThere) {
  const look = setInterval(() => {
    if (!existsSync(config.readyWhenThere)) return;
    clearInterval(look);
    start();
  }, 20);
} else start();

function start() {
  const { WebSocketServer } = createRequire(config.modules)("ws");
  const http = createServer((request, response) => {
    if (request.url !== "/topology") return response.end("ok");
    if (!isOwnHost(request, http)) return response.writeHead(403).end();
    if (!accepts({ req: request })) return response.writeHead(401).end();
    response.end(JSON.stringify(schema()));
  });
  const isWelcome = ({ req }) => isOwnHost(req, http) && accepts({ req });
  const sockets = new WebSocketServer({ server: http, path: "/live", verifyClient: isWelcome });
  const state = {
    t: 0,
    seq: 0,
    requests: 0,
    errors: 0,
    threads: 2,
    adapts: config.bounds !== undefined,
    join: null,
    intervalMs: config.intervalMs ?? 100,
  };
  // Does `capacity` events a second where the configuration says so, else none at all.
  const flow = { perSecond: 100, emitted: 0, completed: 0 };
  const schema = () => ({
    type: "schema",
    version: 1,
    project: "fake",
    binary,
    topologyHash: config.topologyHash ?? "sha256:0",
    runtime: "fake",
    pid: process.pid,
    startedAtMs,
    intervalMs: state.intervalMs,
    sampling: 3,
    services: [
      { id: 0, name: "GetAd", kind: "simple", pool: 0, implementations: [], written: true },
      { id: 1, name: "LogAd", kind: "simple", pool: 1, implementations: [], written: true },
    ],
    calls: [{ id: 0, from: 0, to: 1 }],
    flows: [
      {
        id: 0,
        name: "Events",
        source: { kind: "rate", perSecond: flow.perSecond },
        stages: [
          { id: "get", service: 0, role: "map", pool: 0 },
          { id: "log", service: 1, role: "side-effect", pool: poolOfLog() },
        ],
      },
    ],
    pools: [["front", state.threads], ["back", 1], ...ownPool()].map(([name, threads], id) => ({
      id,
      name,
      queue: 8,
      overflow: "block",
      idle: "park",
      priority: 0,
      ...(id === 0 && config.bounds
        ? { adaptive: { ...config.bounds, on: state.adapts, by: "person", steps: 0, waitedMs: 0 } }
        : {}),
      threads: Array.from({ length: threads }, (_, index) => ({
        name: `${name}-${index}`,
        tid: index,
        asked: [],
        actual: [0],
      })),
    })),
  });
  // The stage log: fused, on a pool, or on threads of its own; refuses a single one as sync-remote ones do.
  const ownPool = () => (state.join?.threads ? [["Events.log", state.join.threads]] : []);
  const poolOfLog = () => {
    if (state.join === null) return null;
    return state.join.pool === undefined ? 2 : ["front", "back"].indexOf(state.join.pool);
  };
  const sample = () => ({
    type: "sample",
    t: (state.t += config.jumpAfter === state.seq ? 3_600_000 : state.intervalMs),
    seq: ++state.seq,
    services: [
      [0, (state.requests += 3), (state.errors += config.throwing ? 1 : 0), 0, 0, 1.5, 2, 3, 4],
      [1, state.requests, 0, 0, 0, null, null, null, null],
    ],
    implementations: [],
    calls: [[0, state.requests, 0]],
    flows: config.capacity ? [flowRow()] : [],
    stages: [],
    pools: [
      [0, 0, 1, state.threads, 0],
      [1, 0, 0, 1, 0],
    ],
    threads: [],
    process: { cpuNs: 1, rssBytes: 1, threads: 3 },
    ...(config.padding ? { padding: "x".repeat(config.padding) } : {}),
  });
  const flowRow = () => {
    const seconds = state.intervalMs / 1000;
    flow.emitted += flow.perSecond * seconds;
    flow.completed = Math.min(flow.emitted, flow.completed + config.capacity * seconds);
    const [emitted, completed] = [Math.round(flow.emitted), Math.round(flow.completed)];
    return [0, emitted, completed, 0, 0, emitted - completed, 10, 20, 30, 40];
  };
  sockets.on("error", () => undefined);
  const all = (frame) => {
    const text = JSON.stringify(frame);
    for (const client of sockets.clients) client.send(text);
  };
  sockets.on("connection", (client) => {
    client.send(JSON.stringify(schema()));
    client.on("message", (data) => client.send(JSON.stringify(answer(JSON.parse(String(data))))));
  });
  const answer = ({ id, method, params }) => {
    if (method === "live.watch") return { jsonrpc: "2.0", id, result: { intervalMs: state.intervalMs } };
    if (method === "join.set" || method === "join.remove") {
      if (params.join?.threads === 1) {
        const data = { code: "PS515", help: "Give the join more threads." };
        return { jsonrpc: "2.0", id, error: { code: -32000, message: "log would run on one thread", data } };
      }
      state.join = params.join ?? null;
      all(schema());
      return { jsonrpc: "2.0", id, result: { pool: null, threads: 0, tookMs: 0.5 } };
    }
    if (method === "service.call" && !config.old) return { jsonrpc: "2.0", id, ...called(params) };
    if (method === "source.set" && config.capacity) {
      flow.perSecond = params.perSecond;
      all(schema());
      return { jsonrpc: "2.0", id, result: { asked: params.perSecond, actual: params.perSecond } };
    }
    if (method === "pool.adapt" && config.bounds) {
      state.adapts = params.adapt;
      all(schema());
      const { threads, adapts } = state;
      return { jsonrpc: "2.0", id, result: { ...config.bounds, on: adapts, threads } };
    }
    if (method !== "pool.resize")
      return { jsonrpc: "2.0", id, error: { code: -32601, message: "no such method" } };
    if (params.threads < 1 || params.threads > 1024) {
      const data = { code: "PS501", help: "1 to 1024 threads" };
      return { jsonrpc: "2.0", id, error: { code: -32602, message: "threads out of range", data } };
    }
    state.threads = params.threads;
    state.adapts = false;
    // As if it had crashed and was there again.
    if (config.anewWith === params.threads) state.t = 0;
    all(schema());
    return { jsonrpc: "2.0", id, result: { asked: params.threads, actual: params.threads } };
  };
  // Echoes; a request with "fail" ends with that error, one that is no JSON is refused.
  const called = ({ request, deadlineMs = 10_000 }) => {
    try {
      const asked = JSON.parse(request);
      const end = asked.fail
        ? { error: { code: asked.fail, message: "as asked" } }
        : { answer: { echo: asked, deadlineMs } };
      return { result: { ...end, tookMs: 1.25 } };
    } catch {
      const data = { code: "PS758", help: "Use JSON." };
      return { error: { code: -32000, message: "The request of GetAd is no JSON (line 1, column 1)", data } };
    }
  };
  const perTick = config.samplesPerTick ?? 1;
  setInterval(() => {
    for (let count = 0; count < perTick; count++) all(sample());
  }, config.tickMs ?? state.intervalMs);
  http.on("error", (error) => {
    console.error(
      `penstock: ${config.control}: ${error.code === "EADDRINUSE" ? "address in use" : error.code}`,
    );
    process.exit(78);
  });
  const [host, port] = (config.control ?? "127.0.0.1:0").split(":");
  http.listen(Number(port), host, () => {
    const control = `127.0.0.1:${http.address().port}`;
    if (config.say) console.log(config.say);
    console.log(JSON.stringify({ event: "ready", binary, pid: process.pid, control, http: null }));
    if (config.crashWhenReady) setTimeout(() => process.kill(process.pid, config.crashWhenReady), 20);
    if (config.flood) flood(config.flood);
    if (config.generations) multiply(config.generations);
  });
  process.on("SIGTERM", () => {
    if (config.ignoreTerm) return;
    if (config.drainsMs) setTimeout(() => process.exit(0), config.drainsMs);
    else process.exit(config.exitOnTerm ?? 0);
  });
}

function isOwnHost({ headers }, http) {
  return headers.host === `127.0.0.1:${http.address().port}`;
}

function accepts({ req }) {
  return req.headers.authorization === `Bearer ${token}` && req.headers.origin === undefined;
}

/** A fork bomb that goes out: each shell starts two more, for so many generations, and stays. */
function multiply(generations) {
  const script = 'f() { [ $1 -gt 1 ] && { f $(($1 - 1)) & f $(($1 - 1)) & }; exec sleep 1000; }; f "$0"';
  spawn("/bin/sh", ["-c", script, String(generations)], { stdio: "ignore" });
}

/** Prints that many megabytes as fast as they are taken, then a last line. */
function flood(megabytes) {
  const chunk = `${"x".repeat(99)}\n`.repeat(10_486);
  const write = (left) => {
    if (left === 0) return void process.stdout.write("the last line\n");
    process.stdout.write(chunk, () => write(left - 1));
  };
  write(megabytes);
}
