import type { IncomingMessage } from "node:http";
import { HttpRefusal } from "../http/httpRefusal.js";

/**
 * What every request must pass before anything else looks at it: it decides whether the request
 * can come from our own page or our own command line at all. Strings are compared whole; no
 * pattern decides about a host or an origin.
 */

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "DELETE"]);
const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const SINGLE = [
  "host",
  "origin",
  "authorization",
  "content-type",
  "content-length",
  "sec-websocket-protocol",
];
/** Characters of API paths; no `%`, no `;`, nothing that could be read in two ways. */
const API_PATH = /^(\/[A-Za-z0-9_.-]+)+$/;

/** The addresses under which this server may be named in `Host`. */
export function allowedHosts(port: number): ReadonlySet<string> {
  const names = ["127.0.0.1", "[::1]", "localhost"];
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

export const isApiPath = (target: string): boolean => target === "/api" || /^\/api[/?]/.test(target);

/** How often a header was sent. */
function countOf(request: IncomingMessage, name: string): number {
  let count = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === name) count++;
  }
  return count;
}

const single = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** Why the request is refused, or null. `upgrade` is for the WebSocket handshake, always checked as a change. */
export function guardRequest(
  request: IncomingMessage,
  hosts: ReadonlySet<string>,
  upgrade = false,
): HttpRefusal | null {
  if (request.httpVersion !== "1.1") {
    return new HttpRefusal(505, "http-version", "Only HTTP/1.1 is spoken here", "", { close: true });
  }
  const target = request.url ?? "";
  if (!target.startsWith("/")) {
    return new HttpRefusal(400, "target", "The request target must be a path", "", { close: true });
  }
  const repeated = SINGLE.find((name) => countOf(request, name) > 1);
  if (repeated) return new HttpRefusal(400, "header", `${repeated} was sent twice`, "", { close: true });
  return (
    guardSender(request, hosts, upgrade) ??
    guardMethod(request) ??
    guardTarget(target) ??
    guardBody(request, target)
  );
}

function guardSender(
  request: IncomingMessage,
  hosts: ReadonlySet<string>,
  upgrade: boolean,
): HttpRefusal | null {
  const host = single(request, "host") ?? "";
  if (!hosts.has(host)) {
    return new HttpRefusal(
      403,
      "host",
      "This server is not called that",
      "Open the address that the server printed.",
    );
  }
  const method = request.method ?? "";
  const origin = single(request, "origin");
  if (origin === undefined ? upgrade || CHANGING.has(method) : origin !== `http://${host}`) {
    return new HttpRefusal(
      403,
      "origin",
      "Requests from other pages are refused",
      "Use the page of this server.",
    );
  }
  if (!isFetchedByUs(request, upgrade)) {
    return new HttpRefusal(
      403,
      "fetch-site",
      "Requests from other sites are refused",
      "Use the page of this server.",
    );
  }
  return null;
}

/** `Sec-Fetch-Site`, where sent. Its absence proves nothing; the other checks stand on their own. */
function isFetchedByUs(request: IncomingMessage, upgrade: boolean): boolean {
  const site = single(request, "sec-fetch-site");
  if (site === undefined || site === "same-origin") return true;
  if (upgrade || request.method !== "GET") return false;
  const navigation =
    single(request, "sec-fetch-mode") === "navigate" && single(request, "sec-fetch-dest") === "document";
  if (!navigation) return false;
  // A link on another site may open the page, which is public; nobody is led to the API that way.
  return site === "none" || !isApiPath(request.url ?? "");
}

function guardMethod(request: IncomingMessage): HttpRefusal | null {
  const method = request.method ?? "";
  if (METHODS.has(method)) return null;
  return new HttpRefusal(405, "method", `${method} is not answered here`, "", {
    headers: { Allow: [...METHODS].join(", ") },
  });
}

function guardTarget(target: string): HttpRefusal | null {
  const question = target.indexOf("?");
  const path = question < 0 ? target : target.slice(0, question);
  const api = path.toLowerCase().startsWith("/api");
  const plain = API_PATH.test(path) && !path.split("/").some((part) => part === "." || part === "..");
  if (api && !plain)
    return new HttpRefusal(400, "path", "The path has characters that API paths do not have");
  if (path.includes("\0") || path.includes("//") || path.includes("\\")) {
    return new HttpRefusal(400, "path", "The path is not well-formed");
  }
  return null;
}

function guardBody(request: IncomingMessage, target: string): HttpRefusal | null {
  const length = request.headers["content-length"];
  const hasBody =
    request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
  if (!hasBody) return null;
  const method = request.method ?? "";
  if (method !== "POST" && method !== "PUT") {
    return new HttpRefusal(400, "body", `${method} takes no body`, "", { close: true });
  }
  if (!isApiPath(target))
    return new HttpRefusal(404, "not-found", "There is nothing here", "", { close: true });
  const type = single(request, "content-type");
  if (type !== "application/json" && type !== "application/json; charset=utf-8") {
    return new HttpRefusal(415, "content-type", "The body must be application/json", "", { close: true });
  }
  if (request.headers["content-encoding"] !== undefined) {
    return new HttpRefusal(415, "content-encoding", "The body must not be encoded", "", { close: true });
  }
  return null;
}
