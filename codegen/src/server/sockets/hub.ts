import type { WebSocket } from "ws";
import type { LiveSample, LiveSchema, ServerMessage } from "../../contract/index.js";
import { LIMITS } from "../defaults.js";
import { BrowserSocket } from "./browserSocket.js";

/** All browser tabs; knows which project each of them shows. */
export class BrowserHub {
  private readonly sockets = new Set<BrowserSocket>();
  private readonly pings: NodeJS.Timeout;

  /** @param onOpen tells a tab everything about the project it has just opened */
  constructor(private readonly onOpen: (socket: BrowserSocket, project: string) => void) {
    this.pings = setInterval(() => {
      for (const socket of this.sockets) socket.checkAlive();
    }, LIMITS.pingEveryMs);
    this.pings.unref();
  }

  add(client: WebSocket): void {
    const socket = new BrowserSocket(client, {
      opened: (opened, project) => this.onOpen(opened, project),
      gone: (gone) => this.sockets.delete(gone),
    });
    this.sockets.add(socket);
  }

  /** To every tab that shows the message's project. */
  publish(message: Exclude<ServerMessage, { type: "error" }>): void {
    for (const socket of this.showing(message.project)) {
      if (message.type === "live-lost") socket.forgetSamples(message.binary);
      socket.send(message);
    }
  }

  publishSample(project: string, schema: LiveSchema, sample: LiveSample): void {
    for (const socket of this.showing(project)) socket.offerSample(schema, sample);
  }

  /** True when a tab in front shows the project. */
  isWatched(project: string): boolean {
    return this.showing(project).some((socket) => !socket.isHidden);
  }

  /** Says so to every tab; whoever holds the connections cuts those that do not answer. */
  close(): void {
    clearInterval(this.pings);
    for (const socket of this.sockets) socket.close(1001, "the server stops");
  }

  private showing(project: string): BrowserSocket[] {
    return [...this.sockets].filter((socket) => socket.project === project);
  }
}
