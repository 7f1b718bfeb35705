import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { ask, flood, many, open, underAttacks } from "./attack.mjs";
import { controlDoor, serverDoor } from "./attack-sockets.mjs";

/**
 * All doors of a running binary and of the designer's server, attacked in bulk and for as long as it takes: an
 * honest client is answered all the while, and the memory of the process stays within its bound. Needs real time and
 * thousands of sockets (`ulimit -n` above 10,000), so it is no part of the tests.
 */

/** The budget of 64 MB, what the allocator keeps of it, and the sockets themselves. */
const MOST_MORE_BYTES = 256e6;
const BODY = '{"orderId":"1","item":"tea"}';

const headOf = ({ host, port, path }) =>
  `POST ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nContent-Type: application/json\r\n`;

/** What a program without a token may do to an HTTP address of a running binary. */
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

async function flooded(target, head, piece) {
  const sockets = await many(20, () => open(target, headOf(target) + head));
  await Promise.all(sockets.map((socket) => flood(socket, piece, performance.now() + 15_000)));
  return sockets;
}

const httpDoor = (target) => ({
  door: "HTTP address",
  attacks: Object.fromEntries(
    Object.entries(ATTACKS).map(([name, attack]) => [name, () => attack(target, BODY)]),
  ),
  honest: () => ask(target, `${headOf(target)}Content-Length: ${BODY.length}\r\n\r\n${BODY}`),
  most: MOST_MORE_BYTES,
});

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

/** The first JSON line of a process that is ready. */
async function ready(child) {
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([
    once(lines, "line"),
    once(child, "close").then(() => Promise.reject(new Error(`${child.spawnfile} ended`))),
  ]);
  lines.on("line", () => undefined);
  return JSON.parse(line);
}

const addressOf = (text) => {
  const at = text.lastIndexOf(":");
  return { host: text.slice(0, at), port: Number(text.slice(at + 1)) };
};

const TOKEN = "0123456789abcdef0123456789abcdef";

/** A generated release binary, and the server of a workspace, each with its doors. */
async function run(root, progress) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-attack-"));
  const workspace = path.join(folder, "workspace");
  const project = path.join(workspace, "sources");
  const state = path.join(folder, "state");
  const env = { ...process.env, XDG_STATE_HOME: state };
  const cli = path.join(root, "codegen/bin/penstock.mjs");
  const children = [];
  const start = (command, args, more) => {
    const stdio = ["ignore", "pipe", "ignore"];
    const child = spawn(command, args, { cwd: project, env: { ...env, ...more }, stdio });
    children.push(child);
    return child;
  };
  const results = [];
  const failures = [];
  const attack = async (pid, door) =>
    failures.push(
      ...(await underAttacks({ pid, ...door }, (line) => {
        results.push(line);
        progress(line);
      })),
    );
  try {
    mkdirSync(workspace);
    cpSync(path.join(root, "codegen/test/golden/sources"), project, { recursive: true });
    writeFileSync(path.join(project, "orders.jsonl"), `${BODY}\n`);
    await penstock(root, ["build", project, "--trust"], env, () => true);
    const binary = start(path.join(project, "build/release/shop"), ["--relax-pins"], {
      PENSTOCK_CONTROL_TOKEN: TOKEN,
    });
    const { http, control } = await ready(binary);
    await attack(binary.pid, await controlDoor({ ...addressOf(control), token: TOKEN }));
    await attack(binary.pid, httpDoor({ ...addressOf(http), path: "/orders" }));
    const server = start(
      process.execPath,
      [cli, "serve", "--port", "0", "--no-open", "--json"].concat(["--workspace", workspace]),
    );
    const { port } = await ready(server);
    const servers = path.join(state, "penstock/servers");
    const { token } = JSON.parse(readFileSync(path.join(servers, readdirSync(servers)[0]), "utf8"));
    await attack(server.pid, await serverDoor({ host: "127.0.0.1", port, token }));
    return { passed: results.length, failed: failures.length, output: [...results, ...failures].join("\n") };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

export const doors = {
  name: "doors",
  proves:
    "the addresses of a running binary and of the server answer and keep their bounds while they are attacked in bulk",
  usually: "8 minutes",
  run,
};
