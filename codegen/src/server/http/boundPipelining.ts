import type { Server } from "node:http";
import type { Socket } from "node:net";

/** More of one connection at once is no browser. */
const MOST_AT_WORK = 8;
/** So many small ones may come in one piece, which is read as a whole; who sends more is cut off. */
const MOST_AHEAD = 64;

/**
 * Node makes a request of all that a client sends ahead, however much that is (40,000 of them took
 * 434 MB and kept others waiting for seconds). Beyond a few at work the rest stays in the socket, but
 * for what came in the same piece: a thousand small ones would take a second, so there is a bound for these too. What
 * is behind it comes with a socket that is destroyed.
 */
export function boundPipelining(server: Server): void {
  const atWork = new WeakMap<Socket, number>();
  const pause = (socket: Socket): void => {
    if ((atWork.get(socket) ?? 0) >= MOST_AT_WORK) socket.pause();
  };
  server.prependListener("request", ({ socket }, response) => {
    const now = (atWork.get(socket) ?? 0) + 1;
    atWork.set(socket, now);
    if (now > MOST_AHEAD) return void socket.destroy();
    // Behind this request's end, where Node resumes the socket, and behind the tick in which it says so.
    if (now >= MOST_AT_WORK) process.nextTick(() => process.nextTick(() => pause(socket)));
    response.once("close", () => {
      atWork.set(socket, (atWork.get(socket) ?? 1) - 1);
      // Not at once: it would be said a tick later, also when it was paused again in between.
      setImmediate(() => {
        if ((atWork.get(socket) ?? 0) < MOST_AT_WORK && socket.isPaused()) socket.resume();
      });
    });
  });
}
