import { spawn } from "node:child_process";
import process from "node:process";

/** Children that live now, so that a signal to us takes every one of them (and theirs) along. */
const alive = new Set();
let interruptedWith;

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** SIGINT, SIGTERM and SIGHUP are handed to all children's process groups; then we end as they ask. */
export function takeChildrenAlong() {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ]) {
    process.on(signal, () => {
      interruptedWith = code;
      if (alive.size === 0) process.exit(code);
      for (const child of alive) signalGroup(child, signal);
      const killer = setTimeout(() => {
        for (const child of alive) signalGroup(child, "SIGKILL");
        process.exit(code);
      }, 8000);
      killer.unref();
    });
  }
}

/**
 * Runs a program in its own process group. `onLine` sees every line of stdout and stderr; the
 * last 200 are kept for the report of a failure. `inherit` leaves the terminal to the child; `signal` interrupts it.
 * @returns {Promise<{code: number, tail: string[]}>} 127 when the program is not there
 */
export async function run(command, args, options = {}) {
  const { cwd, env = {}, onLine, inherit = false, signal } = options;
  if (signal?.aborted || interruptedWith !== undefined) return { code: 130, tail: [] };
  return new Promise((resolve) => {
    const tail = [];
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: inherit ? "inherit" : ["ignore", "pipe", "pipe"],
      // With the terminal it stays in our group: a background group that reads a terminal is stopped.
      detached: !inherit,
    });
    alive.add(child);
    const interrupt = () => signalGroup(child, "SIGINT");
    signal?.addEventListener("abort", interrupt, { once: true });
    const feed = (stream) => {
      let begun = "";
      stream?.setEncoding("utf8");
      stream?.on("data", (chunk) => {
        const lines = (begun + chunk).split(/\r?\n/);
        begun = lines.pop() ?? "";
        for (const line of lines) keep(line);
      });
      stream?.on("end", () => begun !== "" && keep(begun));
    };
    const keep = (line) => {
      tail.push(line);
      if (tail.length > 200) tail.shift();
      onLine?.(line);
    };
    feed(child.stdout);
    feed(child.stderr);
    child.on("error", (error) => {
      alive.delete(child);
      resolve({ code: error.code === "ENOENT" ? 127 : 126, tail: [...tail, error.message] });
    });
    child.on("close", (code, endedBy) => {
      alive.delete(child);
      signal?.removeEventListener("abort", interrupt);
      // Who waits for it clears up before that.
      if (interruptedWith !== undefined && alive.size === 0)
        setImmediate(() => process.exit(interruptedWith));
      resolve({ code: code ?? (endedBy === "SIGINT" ? 130 : 143), tail });
    });
  });
}
