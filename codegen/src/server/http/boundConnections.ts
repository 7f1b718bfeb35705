import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Any program of the machine can open connections and say nothing on them, or read no answer. Beyond `most` the
 * oldest that has not shown the token goes, so that whoever comes next is let in: the owner's page among them. One that
 * has shown it stays.
 *
 * @param signedIn where connections are noted that have shown the token
 */
export function boundConnections(server: Server, most: number, signedIn: WeakSet<object>): void {
  // Oldest first.
  const strangers = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    strangers.add(socket);
    socket.once("close", () => strangers.delete(socket));
    for (const stranger of strangers) {
      if (strangers.size <= most) return;
      strangers.delete(stranger);
      if (!signedIn.has(stranger)) stranger.destroy();
    }
  });
}
