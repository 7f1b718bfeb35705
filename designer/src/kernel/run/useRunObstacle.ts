import { useConnection } from "../connection/connection.js";
import { useProject } from "../server/projectStore.js";

/** Why nothing can be built, run or measured here, in words for people; "" when it can. */
export function useRunObstacle(): string {
  const online = useConnection((state) => state.socket.kind === "open");
  const writable = useConnection((state) => state.phase.kind !== "ready" || state.phase.status.writable);
  const trusted = useProject((state) => state.trusted);
  if (!online) return "The server is not connected";
  if (!writable) return "The workspace cannot be written to";
  return trusted ? "" : "Somebody else made this project: trust it first";
}
