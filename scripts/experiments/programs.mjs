import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { WebSocket } from "ws";
import { TIMES } from "./applications.mjs";

const PATIENCE = 60_000;

/** Commands to a running binary, and its samples. */
class LiveRpc {
  #socket;
  #calls = new Map();
  #next = 1;
  #waiting = [];

  /** @returns {Promise<LiveRpc>} once the binary has said what it is */
  static async open(control, token) {
    const rpc = new LiveRpc();
    rpc.#socket = new WebSocket(`ws://${control}/live`, {
      headers: { Authorization: `Bearer ${token}` },
      perMessageDeflate: false,
    });
    rpc.#socket.on("message", (data) => rpc.#take(JSON.parse(data.toString("utf8"))));
    await once(rpc.#socket, "open");
    return rpc;
  }

  /** Resolves with the result when the command is in force. */
  call(method, params) {
    const id = this.#next++;
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  /** The next sample. */
  sample() {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close() {
    this.#socket.terminate();
  }

  #take(frame) {
    if (frame.type === "sample") {
      for (const resolve of this.#waiting.splice(0)) resolve(frame);
    } else if (frame.jsonrpc !== undefined) {
      const call = this.#calls.get(frame.id);
      this.#calls.delete(frame.id);
      if (frame.error === undefined) call?.resolve(frame.result);
      else call?.reject(new Error(frame.error.message));
    }
  }
}

/** What a program says line by line; rejects when it ends or keeps silent. */
function linesOf(child, what) {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    const silence = new Promise((_, reject) => {
      setTimeout(() => reject(new Error(`${what} says nothing`)), PATIENCE).unref();
    });
    const { value, done } = await Promise.race([lines.next(), silence]);
    if (done) throw new Error(`${what} ended`);
    return value;
  };
}

const start = (program, args, env, stdio) => {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio });
  const exit = once(child, "exit");
  return { child, exit };
};

/** Microseconds of processor time that a process has used; Linux counts hundredths of a second. */
function cpuUs({ pid }) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
  return (user + system) * 10_000;
}

/** Memory that a process has in hand, MiB. */
function residentMiB({ pid }) {
  const [line] = readFileSync(`/proc/${pid}/status`, "utf8").match(/^VmRSS:.*$/m);
  return Number(line.match(/\d+/)[0]) / 1024;
}

/** The flow with threads and queues alone. */
export async function startByHand(project, _application, env) {
  const program = path.join(project, "build", "release", "ByHand");
  const { child, exit } = start(program, [], { ...env, BY_HAND_TIMES: String(TIMES) }, [
    "pipe",
    "pipe",
    "ignore",
  ]);
  const line = linesOf(child, program);
  await line();
  return {
    cpuUs: () => cpuUs(child),
    residentMiB: () => residentMiB(child),
    setRate: (perSecond) => child.stdin.write(`rate ${perSecond}\n`),
    /** Ends once every event has ended; how many there were, and how many of them failed. */
    async stop() {
      child.stdin.write("stop\n");
      const emitted = Number((await line()).split(" ")[1]);
      await exit;
      return { emitted, failed: 0 };
    },
    kill: () => child.kill("SIGKILL"),
  };
}

/**
 * The generated configuration with another sampling, with more threads where they wait, and without
 * deadlines: beyond the limit events queue up, which by hand knows no deadline either.
 */
function writeConfig(project, { binary, waiting }, per128) {
  const file = path.join(project, "generated", "config", `${binary}.json`);
  const config = JSON.parse(readFileSync(file, "utf8"));
  config.sampling = per128;
  for (const service of Object.values(config.services)) delete service.deadlineMs;
  for (const pool of config.pools.filter(({ name }) => waiting.includes(name)))
    pool.threads = Array.from({ length: TIMES }, () => pool.threads).flat();
  const written = path.join(project, "build", `experiment-${per128}.json`);
  writeFileSync(written, JSON.stringify(config));
  return written;
}

/** The generated binary; `watched`: with a reader of its live figures ten times a second. */
export async function startPenstock(project, application, env, { per128, watched }) {
  const program = path.join(project, "build", "release", application.binary);
  const token = randomBytes(24).toString("hex");
  const { child, exit } = start(
    program,
    ["--relax-pins", "--config", writeConfig(project, application, per128)],
    { ...env, PENSTOCK_CONTROL_TOKEN: token },
    ["ignore", "pipe", "ignore"],
  );
  const { control } = JSON.parse(await linesOf(child, program)());
  const live = await LiveRpc.open(control, token);
  await live.call("live.watch", { close: watched });
  const { flow } = application;
  const setRate = (perSecond) => live.call("source.set", { flow, perSecond });
  const flowRow = async () => {
    const [[, emitted, , failed, , inFlight]] = (await live.sample()).flows;
    return { emitted, failed, inFlight };
  };
  return {
    cpuUs: () => cpuUs(child),
    residentMiB: () => residentMiB(child),
    setRate,
    setJoin: (stage, threads) => live.call("join.set", { flow, stage, join: { threads } }),
    removeJoin: (stage) => live.call("join.remove", { flow, stage }),
    async stop() {
      await setRate(0);
      await live.call("live.watch", { close: true });
      const end = performance.now() + PATIENCE;
      // One more sample: one that was on its way may be from before the last event.
      await live.sample();
      let row = await flowRow();
      while (row.inFlight > 0 && performance.now() < end) row = await flowRow();
      live.close();
      child.kill("SIGTERM");
      await exit;
      return { emitted: row.emitted, failed: row.failed };
    },
    kill: () => child.kill("SIGKILL"),
  };
}
