import { WebSocketServer } from "ws";
import { LIMITS } from "../defaults.js";

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
