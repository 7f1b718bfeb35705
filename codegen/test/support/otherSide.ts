import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import { createSecureServer, type Http2SecureServer, type Http2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The server that the golden project `nodes` asks, and what it was asked. */
export class OtherSide {
  readonly requests: Seen[] = [];
  /** What each connection was asked for, in order. */
  readonly connections = new Map<Socket, string[]>();
  readonly #server: Server = createServer((request, response) => {
    this.connections.get(request.socket)?.push(request.url ?? "");
    void this.#seen(request).then((seen) => {
      const [status, body] = answerTo(seen);
      // Whoever asks for the slow one waits in vain.
      if (status !== 0) response.writeHead(status).end(body);
    });
  }).on("connection", (socket: Socket) => this.connections.set(socket, []));

  /** Its address, `127.0.0.1:1234`. */
  async listen(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server.close(), "close");
    this.#server.closeAllConnections();
    await closed;
  }

  async #seen(request: IncomingMessage): Promise<Seen> {
    const { method = "", url = "", headers } = request;
    const seen = { method, url, headers, body: await text(request) };
    this.requests.push(seen);
    return seen;
  }
}

/** A server that speaks HTTP/2 over TLS to be asked by the node `Check`, and how it was. */
export class SecureSide {
  /** Of its certificate, which trusts itself. */
  readonly certificate: string;
  readonly requests: { version: string; path: string }[] = [];
  connections = 0;
  readonly #server: Http2SecureServer;
  readonly #sessions = new Set<Http2Session>();

  /** `folder` is where the certificate goes. */
  constructor(folder: string) {
    this.certificate = `${folder}/certificate.pem`;
    const key = `${folder}/key.pem`;
    execFileSync(
      "openssl",
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=penstock -addext
      subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${this.certificate}`.split(/\s+/),
      { stdio: "ignore" },
    );
    this.#server = createSecureServer(
      { key: readFileSync(key), cert: readFileSync(this.certificate), allowHTTP1: true },
      (request, response) => {
        this.requests.push({ version: request.httpVersion, path: request.url });
        response.writeHead(200).end('{"cents": "7"}');
      },
    );
    this.#server.on("secureConnection", () => (this.connections += 1));
    this.#server.on("session", (session) => this.#sessions.add(session));
  }

  /** Its address, `127.0.0.1:1234`. */
  async listen(): Promise<string> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const session of this.#sessions) session.destroy();
    await closed;
  }
}

function answerTo({ method, url, body }: Seen): [status: number, body: string] {
  if (method === "POST") {
    const { id } = JSON.parse(body) as { id: string };
    return Number(id) % 2 === 0 ? [201, `kept ${id}`] : [503, "busy"];
  }
  if (url.startsWith("/quotes/a%2F")) return [200, '{"cents": 42}'];
  if (url.startsWith("/quotes/b")) return [200, '{"cents": "many"}'];
  if (url.startsWith("/quotes/slow")) return [0, ""];
  return [404, "nobody"];
}
