import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What a program without a token may do to an HTTP address of a running binary, in bulk and for as long as it takes: an
 * honest client is answered all the while, and the memory of the process stays within its budget. Needs real time and
 * thousands of sockets (`ulimit -n` above 10,000), so it is no part of the tests.
 */

const ANSWER_WITHIN_MS = 5_000;
/** The budget of 64 MB, what the allocator keeps of it, and the sockets themselves. */
const MOST_MORE_BYTES = 256e6;

const residentBytes = (pid) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;

/** A connection that minds nothing; its data is dropped unless `deaf`, when it is never read. */
function open({ host, port }, first = "", deaf = false) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true }, () => {
      if (first !== "") socket.write(first);
      resolve(socket);
    });
    socket.on("error", () => resolve(socket));
    if (deaf) socket.pause();
    else socket.resume();
  });
}

/** Milliseconds until one honest request was answered, and its status; undefined when it never was. */
function ask(target, body) {
  const started = performance.now();
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(target.port, target.host);
    const end = (status) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(status === undefined ? undefined : { status, milliseconds: performance.now() - started });
    };
    const timer = setTimeout(() => end(undefined), ANSWER_WITHIN_MS);
    socket.on("error", () => end(undefined)).on("close", () => end(undefined));
    socket.on("data", (chunk) => {
      text += chunk;
      const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
      if (status !== undefined) end(Number(status));
    });
    socket.write(`${headOf(target)}Content-Length: ${body.length}\r\n\r\n${body}`);
  });
}

const headOf = ({ host, port, path }) =>
  `POST ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nContent-Type: application/json\r\n`;

/** Writes as fast as the peer takes it, until it has gone or `until`. */
async function flood(socket, piece, until) {
  while (!socket.closed && !socket.destroyed && performance.now() < until)
    if (!socket.write(piece))
      await Promise.race([sleep(20), new Promise((done) => socket.once("drain", done))]);
}

const ATTACKS = {
  "4,500 silent connections": (target) => many(4_500, () => open(target)),
  "4,500 slow heads": (target) => many(4_500, () => open(target, "POST / HTTP/1.1\r\nHost: ")),
  "1,000 slow bodies": (target) =>
    many(1_000, () => open(target, `${headOf(target)}Content-Length: 900\r\n\r\n{`)),
  "4,500 that read no answer": (target, body) =>
    many(4_500, () =>
      open(target, `${headOf(target)}Content-Length: ${body.length}\r\n\r\n${body}`.repeat(50), true),
    ),
  "40,000 requests ahead": async (target, body) => {
    const socket = await open(target);
    socket.write(`${headOf(target)}Content-Length: ${body.length}\r\n\r\n${body}`.repeat(40_000));
    return [socket];
  },
  "chunk extensions without end": (target) =>
    flooded(target, "Transfer-Encoding: chunked\r\n\r\n1;", "a".repeat(16_384)),
  "trailers without end": (target) =>
    flooded(target, "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", `a: ${"b".repeat(200)}\r\n`),
  "headers without end": (target) => flooded(target, "", `X-H: ${"x".repeat(200)}\r\n`),
};

const many = async (count, make) => {
  const sockets = [];
  for (let at = 0; at < count; at += 100)
    sockets.push(...(await Promise.all(Array.from({ length: Math.min(100, count - at) }, make))));
  return sockets;
};

async function flooded(target, head, piece) {
  const sockets = await many(20, () => open(target, headOf(target) + head));
  await Promise.all(sockets.map((socket) => flood(socket, piece, performance.now() + 15_000)));
  return sockets;
}

/** One HTTP address under all attacks, one after the other; the failures in words. */
async function attackDoor(target, pid, body, progress) {
  const failures = [];
  const before = residentBytes(pid);
  for (const [name, attack] of Object.entries(ATTACKS)) {
    const answers = [];
    let most = before;
    const over = new AbortController();
    const honest = (async () => {
      while (!over.signal.aborted) {
        answers.push(await ask(target, body));
        most = Math.max(most, residentBytes(pid));
        await sleep(100);
      }
    })();
    const sockets = await attack(target, body);
    await sleep(2_000);
    over.abort();
    await honest;
    for (const socket of sockets) socket.destroy();
    const unanswered = answers.filter((answer) => answer === undefined).length;
    const slowest = Math.max(0, ...answers.map((answer) => answer?.milliseconds ?? 0));
    const more = most - before;
    progress(
      `${name}: ${answers.length - unanswered} of ${answers.length} answered, slowest ${Math.round(slowest)} ms, ` +
        `${Math.round(more / 1e6)} MB more`,
    );
    if (unanswered > 0) failures.push(`${name}: ${unanswered} honest requests were not answered`);
    if (more > MOST_MORE_BYTES) failures.push(`${name}: ${Math.round(more / 1e6)} MB more than before`);
  }
  return failures;
}

/** One step of the command line on the project; its last document or event that `wanted` takes. */
function penstock(root, words, env, wanted) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, "codegen/bin/penstock.mjs"), ...words, "--json"], {
      env,
    });
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.stderr.on("data", (chunk) => (text += chunk));
    child.on("error", reject);
    child.on("close", () => {
      const documents = text.split("\n").filter((line) => line.startsWith("{"));
      const found = documents.map((line) => JSON.parse(line)).find(wanted);
      if (found === undefined) reject(new Error(text));
      else resolve(found);
    });
  });
}

/** The HTTP address of a generated release binary under all attacks. */
async function run(root, progress) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-attack-"));
  const env = { ...process.env, XDG_STATE_HOME: path.join(folder, "state") };
  const project = path.join(folder, "sources");
  const results = [];
  try {
    cpSync(path.join(root, "codegen/test/golden/sources"), project, { recursive: true });
    writeFileSync(path.join(project, "orders.jsonl"), '{"orderId":"1","item":"tea"}\n');
    const { http, pid } = await penstock(
      root,
      ["run", project, "--binary", "shop", "--detach", "--trust"],
      env,
      ({ event }) => event === "ready",
    );
    const at = http.lastIndexOf(":");
    const target = { host: http.slice(0, at), port: Number(http.slice(at + 1)), path: "/orders" };
    const failures = await attackDoor(target, pid, '{"orderId":"1","item":"tea"}', (line) => {
      results.push(line);
      progress(line);
    });
    return { passed: results.length, failed: failures.length, output: [...results, ...failures].join("\n") };
  } finally {
    await penstock(root, ["stop", project], env, () => true).catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
}

export const doors = {
  name: "doors",
  proves: "an HTTP address of a running binary answers and keeps its budget while it is attacked in bulk",
  usually: "5 minutes",
  run,
};
