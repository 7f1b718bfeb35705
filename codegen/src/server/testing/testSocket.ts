import { WebSocket } from "ws";
import {
  serverMessageSchema,
  SOCKET_PATH,
  type ClientMessage,
  type ServerMessage,
} from "../../contract/index.js";
import type { TestServer } from "./testServer.js";
import { until } from "./until.js";

/** A browser's socket that keeps everything it was told. */
export class TestSocket {
  readonly messages: ServerMessage[] = [];
  closed: { code: number; reason: string } | null = null;

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data) =>
      this.messages.push(serverMessageSchema.parse(JSON.parse((data as Buffer).toString("utf8")))),
    );
    socket.on("close", (code, reason) => (this.closed = { code, reason: String(reason) }));
    socket.on("error", () => undefined);
  }

  static async open(server: TestServer, project?: string): Promise<TestSocket> {
    const protocols = ["penstock", `token.${server.server.token}`];
    const client = new WebSocket(`ws://${server.host}${SOCKET_PATH}`, protocols, {
      origin: `http://${server.host}`,
    });
    const socket = new TestSocket(client);
    await new Promise<void>((resolve, reject) => {
      client.once("open", resolve);
      client.once("error", reject);
      client.once("unexpected-response", (_request, response) =>
        reject(new Error(`HTTP ${response.statusCode}`)),
      );
    });
    if (project !== undefined) {
      socket.send({ type: "open", project });
      await socket.next("opened");
    }
    return socket;
  }

  send(message: ClientMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The first message of a type for which `test` holds, waited for. */
  next<T extends ServerMessage["type"]>(
    type: T,
    test: (message: Extract<ServerMessage, { type: T }>) => boolean = () => true,
    withinMs = 120_000,
  ): Promise<Extract<ServerMessage, { type: T }>> {
    type Wanted = Extract<ServerMessage, { type: T }>;
    return until(
      `a message ${type} comes`,
      () =>
        this.messages.find((message): message is Wanted => message.type === type && test(message as Wanted)),
      withinMs,
    ) as Promise<Wanted>;
  }

  of<T extends ServerMessage["type"]>(type: T): Extract<ServerMessage, { type: T }>[] {
    return this.messages.filter(
      (message): message is Extract<ServerMessage, { type: T }> => message.type === type,
    );
  }

  close(): void {
    this.socket.terminate();
  }
}
