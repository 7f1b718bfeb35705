import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { callbackify } from "node:util";
import protobuf from "protobufjs";

/** Somebody else's: newer than what the golden project `nodes` has drawn. */
const PROTO = `
syntax = "proto3";
package shop.v1;
message Item { uint64 id = 1; string customer = 2; sint32 newer = 9; int64 cents = 3; }
message Price { string currency = 7; int64 cents = 1; Item of = 8; }
service Prices { rpc GetPrice(Item) returns (Price); }
`;

/** What a customer's request is answered with who is no price's. */
export interface Said {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
}

/** A Twirp service made with protobufjs, that the golden project `nodes` asks, and what it was asked. */
export class TwirpSide {
  readonly requests: { headers: IncomingMessage["headers"]; item: Record<string, unknown> }[] = [];
  /** Whoever waits in vain and goes: how often. */
  left = 0;
  /** By customer. `never` is not answered. */
  readonly says = new Map<string, Said>();
  readonly #root = protobuf.parse(PROTO, { keepCase: true }).root;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

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

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const type = request.headers["content-type"] ?? "";
    const isJson = type === "application/json";
    const [itemType, priceType] = ["Item", "Price"].map((name) => this.#root.lookupType(`shop.v1.${name}`));
    const body = await buffer(request);
    const read = isJson
      ? itemType!.fromObject(JSON.parse(body.toString()) as object)
      : itemType!.decode(body);
    const item = itemType!.toObject(read, { longs: Number, defaults: true });
    this.requests.push({ headers: request.headers, item });
    const reply = ({ status, type, body, headers }: Said): void =>
      void response.writeHead(status, { "content-type": type, ...headers }).end(body);
    if (request.method !== "POST" || request.url !== "/twirp/shop.v1.Prices/GetPrice")
      return reply({ status: 404, type: "application/json", body: '{"code":"bad_route","msg":"not here"}' });
    const customer = item["customer"] as string;
    const said = this.says.get(customer);
    if (said !== undefined) return reply(said);
    if (customer === "never") return void response.on("close", () => (this.left += 1));
    const price = { cents: (item["cents"] as number) * 2, currency: "EUR", of: item };
    const message = priceType!.fromObject(price);
    if (isJson)
      return reply({ status: 200, type: `${type}; charset=utf-8`, body: JSON.stringify(message.toJSON()) });
    response.writeHead(200, { "content-type": type }).end(priceType!.encode(message).finish());
  }
}

/** An error that a binary answered, as the client of `twirpClient` throws it. */
export class TwirpFailure extends Error {
  constructor(
    readonly status: number,
    readonly said: { code: string; msg: string },
  ) {
    super(`${said.code}: ${said.msg}`);
  }
}

/** Its calls by their names, which begin with a small letter; what they give is in proto3's JSON. */
export type TwirpClient = Record<string, (request: object) => Promise<unknown>>;

/** A client that protobufjs makes of the service with the full name `service` in a generated `messages.proto`. */
export function twirpClient(
  proto: string,
  service: string,
  base: string,
  headers: Record<string, string> = {},
): TwirpClient {
  const { root } = protobuf.parse(readFileSync(proto, "utf8"), { keepCase: true });
  const send = async (method: string, data: Uint8Array): Promise<Uint8Array> => {
    const answer = await fetch(`${base}/${service}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/protobuf", "twirp-timeout": "300000", ...headers },
      body: new Uint8Array(data),
    });
    if (answer.status !== 200)
      throw new TwirpFailure(answer.status, (await answer.json()) as TwirpFailure["said"]);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const client = root.lookupService(service).create((method, data, callback) => {
    callbackify(send)(method.name, data, callback);
  }) as unknown as Record<string, (request: object) => Promise<protobuf.Message>>;
  return new Proxy<TwirpClient>(
    {},
    { get: (_, name) => async (request: object) => (await client[String(name)]!(request)).toJSON() },
  );
}
