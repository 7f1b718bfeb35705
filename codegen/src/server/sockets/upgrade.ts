import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { AuditLog } from "../session/audit.js";
import { SOCKET_PATH } from "../../contract/index.js";
import { LIMITS } from "../http/limits.js";
import { HttpRefusal } from "../http/httpRefusal.js";
import { guardRequest } from "../middlewares/requestGuard.js";
import type { Session } from "../session/session.js";

/** Makes sockets of upgraded connections; what a peer can make one keep is bounded, in bytes and in pieces. */
export const makeSocketServer = (): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.socketMessageBytes,
    maxFragments: LIMITS.socketFragments,
    maxBufferedChunks: LIMITS.socketChunks,
    // One message of a socket in a turn: however many come at once, the others have theirs.
    allowSynchronousEvents: false,
    perMessageDeflate: false,
    handleProtocols: () => "penstock",
  });

/** The token of `Sec-WebSocket-Protocol: penstock, token.<token>`: exactly these two entries. */
function offeredToken(request: IncomingMessage): string | null {
  const entries = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((entry) => entry.trim());
  if (entries.length !== 2 || !entries.includes("penstock")) return null;
  const token = entries.find((entry) => entry.startsWith("token."));
  return token === undefined ? null : token.slice("token.".length);
}

function refuseUpgrade(
  request: IncomingMessage,
  hosts: ReadonlySet<string>,
  session: Session,
  clients: number,
): HttpRefusal | null {
  const refused = guardRequest(request, hosts, true);
  if (refused) return refused;
  if (request.method !== "GET" || request.headers.upgrade?.toLowerCase() !== "websocket") {
    return new HttpRefusal(400, "upgrade", "Only WebSockets are opened here");
  }
  if (request.url !== SOCKET_PATH) return new HttpRefusal(404, "not-found", "There is no socket here");
  const token = offeredToken(request);
  if (token === null || !session.accepts(token)) return new HttpRefusal(401, "token", "Sign in first");
  if (clients >= LIMITS.sockets) {
    return new HttpRefusal(
      503,
      "too-many-tabs",
      `${LIMITS.sockets} tabs are open already`,
      "Close some tabs of the designer and try again.",
    );
  }
  return null;
}

function answerRefusal(socket: Duplex, refusal: HttpRefusal): void {
  // No timeout of HTTP is in force on it any more: a peer that does not end its side would hold it for ever.
  socket.once("finish", () => socket.destroy());
  const body = JSON.stringify(refusal.body());
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}\r\n` +
      "Content-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n" +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Handles the server's `upgrade` events: every check comes before the handshake is answered. */
export function upgradeHandler(server: {
  hosts: ReadonlySet<string>;
  session: Session;
  signedIn: WeakSet<object>;
  audit: AuditLog;
  sockets: WebSocketServer;
}): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  const { hosts, session, signedIn, audit, sockets } = server;
  return (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const refused = refuseUpgrade(request, hosts, session, sockets.clients.size);
    if (refused) {
      audit.refusal(`${request.method} (socket)`, request.url ?? "", refused.status, refused.code);
      answerRefusal(socket, refused);
      return;
    }
    signedIn.add(socket);
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit("connection", client, request));
  };
}
