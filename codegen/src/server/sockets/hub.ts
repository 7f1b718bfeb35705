import type { WebSocket } from "ws";
import type { LiveSample, LiveSchema, ServerMessage } from "../../contract/index.js";
import { LIMITS } from "../http/limits.js";
import { BrowserSocket } from "./browserSocket.js";

/** All browser tabs; knows which project each of them shows. */
export class BrowserHub {
  private readonly sockets = new Set<BrowserSocket>();
  private readonly pings: NodeJS.Timeout;
  /** Tabs that are being told about their project; true: another was opened meanwhile. */
  private readonly opening = new Map<BrowserSocket, boolean>();

  /** @param onOpen tells a tab everything about the project it has just opened; never rejects */
  constructor(private readonly onOpen: (socket: BrowserSocket, project: string) => Promise<void>) {
    this.pings = setInterval(() => {
      for (const socket of this.sockets) socket.checkAlive();
    }, LIMITS.pingEveryMs);
    this.pings.unref();
  }

  add(client: WebSocket): void {
    const socket = new BrowserSocket(client, {
      opened: (opened) => void this.tellOpened(opened),
      gone: (gone) => this.sockets.delete(gone),
    });
    this.sockets.add(socket);
  }

  /** One after the other, and of those that were opened meanwhile the last: all else nobody looks at any more. */
  private async tellOpened(socket: BrowserSocket): Promise<void> {
    const isFirst = !this.opening.has(socket);
    this.opening.set(socket, true);
    if (!isFirst) return;
    while (this.opening.get(socket) && socket.project !== null) {
      this.opening.set(socket, false);
      await this.onOpen(socket, socket.project);
    }
    this.opening.delete(socket);
  }

  /** To every tab that shows the message's project. */
  publish(message: Exclude<ServerMessage, { type: "error" }>): void {
    for (const socket of this.showing(message.project)) {
      if (message.type === "live-lost") socket.forgetSamples(message.binary);
      socket.send(message);
    }
  }

  /** Only to tabs that were told everything: one that has a sample already takes no past before it. */
  publishSample(project: string, schema: LiveSchema, sample: LiveSample): void {
    for (const socket of this.showing(project))
      if (!this.opening.has(socket)) socket.offerSample(project, schema, sample);
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
