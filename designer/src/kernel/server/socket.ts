import type { ClientMessage, ServerMessage } from "@penstock/codegen/contract";

/** How the connection was lost: how often it failed since, and whether the server said that it stops. */
interface Loss {
  failures: number;
  stopped: boolean;
}

/** `waiting`: closed, and trying again at `retryAtMs` (Date.now clock). */
export type SocketState =
  | ({ kind: "connecting" } & Loss)
  | { kind: "open" }
  | ({ kind: "waiting"; retryAtMs: number } & Loss)
  | { kind: "closed" };

/** True when there is no server, also in the moments when it is tried again: what the page knows is old. */
export const isLost = (state: SocketState): boolean =>
  (state.kind === "waiting" || state.kind === "connecting") && (state.stopped || state.failures > 1);

/** The close code of a server that ends (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001;

export interface SocketPorts {
  url: string;
  token: () => string | undefined;
  onMessage: (message: ServerMessage) => void;
  onState: (state: SocketState) => void;
  /** Replaced in tests. */
  create?: (url: string, protocols: string[]) => WebSocket;
  random?: () => number;
}

export interface ProjectSocket {
  /** Which project to be told about; null for none. Survives reconnects: that is the resync. */
  show: (project: string | null) => void;
  view: (nodes: string[] | "all", hidden: boolean) => void;
  /** Tries at once instead of waiting (the page became visible, the network came back). */
  nudge: () => void;
  close: () => void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/**
 * One socket that comes back by itself: after a loss it waits 0.25 s, 0.5 s ... 5 s (with jitter,
 * so that many tabs do not come at once), then names its project again and is told every state
 * anew. What it said before the loss counts for nothing: the server's word is the truth.
 */
export function openSocket(ports: SocketPorts): ProjectSocket {
  const create = ports.create ?? ((url, protocols) => new WebSocket(url, protocols));
  const random = ports.random ?? Math.random;
  let socket: WebSocket | undefined;
  let project: string | null = null;
  let viewed: ClientMessage | undefined;
  let failures = 0;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const send = (message: ClientMessage) => {
    if (socket?.readyState === 1) socket.send(JSON.stringify(message));
  };
  const connect = () => {
    timer = undefined;
    const token = ports.token();
    if (closed || !token) return;
    ports.onState({ kind: "connecting", failures, stopped });
    const mine = create(ports.url, ["penstock", `token.${token}`]);
    socket = mine;
    mine.addEventListener("open", () => {
      if (socket !== mine) return;
      failures = 0;
      stopped = false;
      ports.onState({ kind: "open" });
      if (project !== null) send({ type: "open", project });
      if (viewed) send(viewed);
    });
    mine.addEventListener("message", (event: MessageEvent) => {
      if (socket !== mine || typeof event.data !== "string") return;
      ports.onMessage(JSON.parse(event.data) as ServerMessage);
    });
    mine.addEventListener("close", ({ code }) => {
      if (socket !== mine) return;
      socket = undefined;
      stopped ||= code === GOING_AWAY;
      if (!closed) wait();
    });
  };
  const wait = () => {
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    failures += 1;
    const wait = longest * (0.75 + 0.25 * random());
    timer = setTimeout(connect, wait);
    ports.onState({ kind: "waiting", retryAtMs: Date.now() + wait, failures, stopped });
  };

  connect();
  return {
    show(next) {
      if (next === project) return;
      project = next;
      send(next === null ? { type: "close" } : { type: "open", project: next });
    },
    view(nodes, hidden) {
      viewed = { type: "view", nodes, hidden };
      send(viewed);
    },
    nudge() {
      if (closed || socket) return;
      clearTimeout(timer);
      connect();
    },
    close() {
      closed = true;
      clearTimeout(timer);
      const open = socket;
      socket = undefined;
      open?.close(1000);
      ports.onState({ kind: "closed" });
    },
  };
}
