import { SOCKET_PATH, type Status } from "@penstock/codegen/contract";
import { createStore } from "zustand/vanilla";
import { useStore } from "zustand";
import { followNames } from "../live/followNames.js";
import { resetLive, setMachineCpus, startStaleClock } from "../live/liveStore.js";
import { ask, ApiFailure, onRefused } from "../server/api.js";
import { dispatch } from "./dispatch.js";
import { forgetEarly } from "../server/early.js";
import { clearLogs } from "../server/logStore.js";
import { closedProject, projectStore } from "../server/projectStore.js";
import {
  dropToken,
  exchange,
  onSignInElsewhere,
  readToken,
  signIn,
  takeCode,
  type SignIn,
} from "../server/session.js";
import { isLost, openSocket, type ProjectSocket, type SocketState } from "../server/socket.js";

/** Where the page stands with its server. */
export type Phase =
  | { kind: "starting" }
  /** No token: `message` is why a code was refused, "" when there was none; `again`: it may be taken the next time. */
  | { kind: "signed-out"; message: string; again?: boolean }
  | { kind: "unreachable" }
  /** The page itself could not go on: `message` is why. */
  | { kind: "failed"; message: string }
  | { kind: "ready"; status: Status };

export interface ConnectionState {
  phase: Phase;
  socket: SocketState;
}

export const connectionStore = createStore<ConnectionState>(() => ({
  phase: { kind: "starting" },
  socket: { kind: "connecting", failures: 0, stopped: false },
}));
export const useConnection = <T>(selector: (state: ConnectionState) => T): T =>
  useStore(connectionStore, selector);

/** Whether the server is gone, and if so whether it said that it stops. */
export const useLoss = (): "lost" | "stopped" | undefined =>
  useConnection(({ socket: state }) =>
    isLost(state) ? ("stopped" in state && state.stopped ? "stopped" : "lost") : undefined,
  );

let socket: ProjectSocket | undefined;
let started = false;
/** The code of the address, for as long as no server has answered it. */
let code: string | undefined;

/** Signs in and connects; called once, before the first render. */
export function startConnection(): void {
  if (started) return;
  started = true;
  code = takeCode();
  onRefused(() => {
    dropToken();
    socket?.close();
    socket = undefined;
    connectionStore.setState({
      phase: {
        kind: "signed-out",
        message: "Penstock was started anew, or somewhere else: this browser has to sign in again.",
      },
    });
  });
  onSignInElsewhere(() => {
    if (connectionStore.getState().phase.kind === "signed-out") void connect();
  });
  startStaleClock();
  followNames();
  addEventListener("online", () => socket?.nudge());
  document.addEventListener("visibilitychange", () => {
    socket?.view("all", document.hidden);
    if (!document.hidden) socket?.nudge();
  });
  void connect();
}

/** Tries again, e.g. from the "server does not answer" screen. */
export const reconnect = (): void => void connect();

let latest = 0;

/** Ends in another phase than "starting", whatever happens. */
async function connect(): Promise<void> {
  const mine = ++latest;
  try {
    await tryToConnect(() => mine === latest);
  } catch (error) {
    // One that was asked later says how things stand.
    if (mine !== latest) return;
    if (error instanceof ApiFailure) return void connectionStore.setState({ phase: { kind: "unreachable" } });
    console.error(error);
    const message = error instanceof Error ? error.message : String(error);
    connectionStore.setState({ phase: { kind: "failed", message } });
  }
}

/** `isLatest`: none was begun since, which would say how things stand. */
async function tryToConnect(isLatest: () => boolean): Promise<void> {
  const signed = await signIn(code);
  if (!isLatest() && signed.kind !== "token") return;
  // Another attempt used the code, and has its token.
  if (signed.kind === "refused" && readToken() !== undefined) {
    code = undefined;
    return tryToConnect(isLatest);
  }
  if (signed.kind === "refused") code = undefined;
  if (signed.kind !== "token") forgetEarly();
  if (signed.kind === "unreachable") return void connectionStore.setState({ phase: { kind: "unreachable" } });
  if (signed.kind !== "token") {
    return void connectionStore.setState({ phase: signedOut(signed) });
  }
  try {
    ready(await ask("status", {}));
    code = undefined;
  } catch (error) {
    forgetEarly();
    if (!(error instanceof ApiFailure) || error.status !== 401) throw error;
    if (code) {
      // The token is of an earlier server; the address held a fresh code after all.
      const again = await exchange(code);
      if (!isLatest()) return;
      if (again.kind === "token" || again.kind === "refused") code = undefined;
      if (again.kind === "token") return tryToConnect(isLatest);
      if (again.kind === "unreachable") throw error;
      return void connectionStore.setState({ phase: signedOut(again) });
    }
  }
}

const signedOut = (signed: Exclude<SignIn, { kind: "token" | "unreachable" }>): Phase => ({
  kind: "signed-out",
  message: signed.kind === "none" ? "" : signed.message,
  ...(signed.kind === "failed" ? { again: true } : {}),
});

function ready(status: Status): void {
  setMachineCpus(status.machine.cpus.length);
  connectionStore.setState({ phase: { kind: "ready", status } });
  socket ??= openSocket({
    url: `${location.origin.replace(/^http/, "ws")}${SOCKET_PATH}`,
    token: readToken,
    onMessage: dispatch,
    onState: (state) => {
      connectionStore.setState({ socket: state });
      // A socket that is refused again and again may have a reason that only HTTP can tell (401, 503).
      if (state.kind === "waiting" && state.failures % 4 === 3) void ask("status", {}).catch(() => undefined);
    },
  });
  socket.view("all", document.hidden);
  // One that takes the place of a refused one is told what is open already.
  socket.show(projectStore.getState().project);
}

/** Asks to be told about a project, and forgets what was known about the one before. */
export function followProject(project: string | null, trusted = true): void {
  if (project === projectStore.getState().project) return;
  resetLive();
  clearLogs();
  projectStore.setState({ ...closedProject, project, trusted });
  socket?.show(project);
}
