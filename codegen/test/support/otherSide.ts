import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
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
  connections = 0;
  readonly #server: Server = createServer((request, response) => {
    void this.#seen(request).then((seen) => {
      const [status, body] = answerTo(seen);
      // Whoever asks for the slow one waits in vain.
      if (status !== 0) response.writeHead(status).end(body);
    });
  }).on("connection", () => (this.connections += 1));

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

function answerTo({ method, url, body }: Seen): [status: number, body: string] {
  if (method === "POST") {
    const { id } = JSON.parse(body) as { id: string };
    return Number(id) % 2 === 0 ? [201, `kept ${id}`] : [503, "busy"];
  }
  if (url.startsWith("/quotes/a%2F")) return [200, '{"cents": 42}'];
  if (url.startsWith("/quotes/b")) return [200, '{"cents": "many"}'];
  if (url.startsWith("/quotes/slow")) return [0, ""];
  return url.startsWith("/checks?id=") ? [200, '{"cents": "7"}'] : [404, "nobody"];
}
