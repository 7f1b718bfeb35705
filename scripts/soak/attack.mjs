import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What attacks of every door are made of. An honest client that is not answered within this is not answered. */
export const ANSWER_WITHIN_MS = 10_000;

const residentBytes = (pid) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;

/** A connection that minds nothing; its data is dropped unless `deaf`, when it is never read. */
export function open({ host, port }, first = "", deaf = false) {
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

export const many = async (count, make) => {
  const sockets = [];
  for (let at = 0; at < count; at += 100)
    sockets.push(...(await Promise.all(Array.from({ length: Math.min(100, count - at) }, make))));
  return sockets;
};

/** Writes as fast as the peer takes it, until it has gone or `until`. */
export async function flood(socket, piece, until) {
  while (!socket.closed && !socket.destroyed && performance.now() < until)
    if (!socket.write(piece)) await drained(socket);
}

/** Resolves when the peer has taken what was written, or soon. */
const drained = (socket) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      socket.off("drain", end).off("close", end);
      resolve();
    };
    const timer = setTimeout(end, 20);
    socket.once("drain", end).once("close", end);
  });

/** Milliseconds until one honest request was answered, and its status; undefined when it never was. */
export function ask({ host, port }, request) {
  const started = performance.now();
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, host);
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
    socket.write(request);
  });
}

/**
 * A process under attacks, one after the other, while somebody honest asks ten times a second and its memory is
 * looked at; the failures in words.
 *
 * @param attacks by name; each resolves with its sockets, which are destroyed two seconds later
 * @param honest resolves with how long an answer took, undefined where there was none
 * @param most bytes that the process may take more than before
 */
export async function underAttacks({ door, pid, attacks, honest, most }, progress) {
  const failures = [];
  const before = residentBytes(pid);
  for (const [name, attack] of Object.entries(attacks)) {
    const answers = [];
    let highest = before;
    const over = new AbortController();
    const asking = (async () => {
      while (!over.signal.aborted) {
        answers.push(await honest());
        highest = Math.max(highest, residentBytes(pid));
        await sleep(100);
      }
    })();
    const sockets = await attack();
    await sleep(2_000);
    over.abort();
    await asking;
    for (const socket of sockets) socket.destroy();
    const unanswered = answers.filter((answer) => answer === undefined).length;
    const slowest = Math.max(0, ...answers.map((answer) => answer?.milliseconds ?? 0));
    const more = highest - before;
    progress(
      `${door}: ${name}: ${answers.length - unanswered} of ${answers.length} answered, slowest ` +
        `${Math.round(slowest)} ms, ${Math.round(more / 1e6)} MB more`,
    );
    const said = (words) => failures.push(`${door}: ${name}: ${words}`);
    if (unanswered > 0) said(`${unanswered} honest requests were not answered`);
    if (more > most) said(`${Math.round(more / 1e6)} MB more than before`);
  }
  return failures;
}
