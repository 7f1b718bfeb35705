import type { IncomingMessage } from "node:http";
import { HttpRefusal } from "../http/httpRefusal.js";
import type { Session } from "../session/session.js";

const PREFIX = "Bearer ";

/** Refuses a request without this server's token. */
export function checkBearer(request: IncomingMessage, session: Session): HttpRefusal | null {
  const header = request.headers.authorization;
  if (header?.startsWith(PREFIX) && session.accepts(header.slice(PREFIX.length))) return null;
  return new HttpRefusal(
    401,
    "token",
    "Sign in first",
    "Press Enter in the server's terminal, or run `penstock open`, for an address that signs in.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}
