import { once } from "node:events";
import { WebSocket } from "ws";

/** Commands to a running binary, and its samples. */
export class LiveRpc {
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
