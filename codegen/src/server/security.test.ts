import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ROUTES } from "../contract/index.js";
import { LIMITS } from "./http/limits.js";
import { TestServer } from "./testing/testServer.js";
import { TestSocket } from "./testing/testSocket.js";

let server: TestServer;
let project: string;
beforeAll(async () => {
  server = await TestServer.start();
  project = await server.create("mine");
});
afterAll(() => server.stop());

const audit = async (): Promise<string> => {
  const { createHash } = await import("node:crypto");
  const key = createHash("sha256").update(server.workspace).digest("hex").slice(0, 20);
  return readFile(join(server.root, "state", "penstock", "workspaces", key, "audit.jsonl"), "utf8");
};

const paths = (): string[] => [
  ...new Set(
    Object.values(ROUTES).map(({ path }) =>
      path
        .replace(":project", project)
        .replace(":file", project)
        .replace(":revision", "0".repeat(32))
        .replace(":binary", "app"),
    ),
  ),
];

const head = (): string => `Host: ${server.host}\r\nConnection: close\r\n`;

const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

const exchange = (code: string, headers: Record<string, string> = {}): ReturnType<TestServer["raw"]> =>
  server.raw(
    "POST",
    "/api/session",
    { Origin: `http://${server.host}`, "Content-Type": "application/json", ...headers },
    JSON.stringify({ code }),
  );

const freshCode = (): string => server.server.freshUrl().split("#code=")[1] ?? "";

describe("row 80: a page of another origin", () => {
  let other: Server;
  let origin: string;
  beforeAll(async () => {
    other = createServer((_request, response) => response.end("<p>evil</p>"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  });
  afterAll(() => other.close());

  test("row 80: is refused on every route with every method, even with the token", async () => {
    for (const path of [...paths(), "/api/socket", "/api/unknown"]) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
        const body = method === "POST" || method === "PUT" ? "{}" : undefined;
        const answer = await server.raw(
          method,
          path,
          {
            Origin: origin,
            Authorization: `Bearer ${server.server.token}`,
            "Sec-Fetch-Site": "same-site",
            "Sec-Fetch-Mode": "cors",
            ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          },
          body,
        );
        expect([method, path, answer.status]).toEqual([method, path, 403]);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      }
    }
    const documents = await server.api("GET", `/api/projects/${project}`);
    expect(documents.status).toBe(200);
  });

  test("row 80: is in the audit log, which holds no token", async () => {
    const text = await audit();
    expect(text).toContain("refused 403 origin");
    expect(text).not.toContain(server.server.token);
    for (const line of text.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  });

  test("row 80: cannot open a socket, with or without a token", async () => {
    const attempts: [string, string[]][] = [
      [origin, ["penstock", `token.${server.server.token}`]],
      [`http://localhost:${server.server.port}`, ["penstock", `token.${server.server.token}`]],
      ["null", ["penstock", `token.${server.server.token}`]],
    ];
    for (const [from, protocols] of attempts) expect(await upgradeStatus(protocols, from)).toBe(403);
    expect(await upgradeStatus(["penstock", "token.x"], `http://${server.host}`)).toBe(401);
    expect(await upgradeStatus(["penstock"], `http://${server.host}`)).toBe(401);
    const three = ["penstock", "other", `token.${server.server.token}`];
    expect(await upgradeStatus(three, `http://${server.host}`)).toBe(401);
  });

  test("row 80: a simple form post, a rebound name and another local server are refused", async () => {
    const form = { Origin: origin, "Content-Type": "text/plain" };
    expect((await server.raw("POST", "/api/session", form, '{"code":"x"}')).status).toBe(403);
    const rebound = { Host: "evil.example:80", Origin: "http://evil.example:80" };
    expect((await server.raw("GET", "/api/status", rebound)).status).toBe(403);
    expect((await server.raw("GET", "/", rebound)).status).toBe(403);
    const almost = { Host: `${server.host}0` };
    expect((await server.raw("GET", "/api/status", almost)).status).toBe(403);
  });

  test("row 80: may lead a user to the page, but may not embed or fetch it", async () => {
    const link = {
      "Sec-Fetch-Site": "cross-site",
      "Sec-Fetch-Mode": "navigate",
      "Sec-Fetch-Dest": "document",
    };
    expect((await server.raw("GET", "/", link)).status).toBe(404);
    expect((await server.raw("GET", "/", { ...link, "Sec-Fetch-Dest": "iframe" })).status).toBe(403);
    expect((await server.raw("GET", "/api/status", link)).status).toBe(403);
    expect(
      (await server.raw("GET", "/x.js", { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors" }))
        .status,
    ).toBe(403);
  });
});

function upgradeStatus(protocols: string[], origin: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://${server.host}/api/socket`, protocols, { origin });
    socket.on("unexpected-response", (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on("open", () => {
      resolve(101);
      socket.terminate();
    });
    socket.on("error", () => undefined);
  });
}

describe("requests that could be read in two ways", () => {
  test("should refuse another HTTP version, an absolute target and doubled headers", async () => {
    expect(status(await server.wire(`GET /healthz HTTP/1.0\r\n${head()}\r\n`))).toBe(505);
    expect(status(await server.wire(`GET http://${server.host}/healthz HTTP/1.1\r\n${head()}\r\n`))).toBe(
      400,
    );
    const same = `http://${server.host}`;
    for (const line of [`Host: ${server.host}`, `Origin: ${same}\r\nOrigin: ${same}`]) {
      expect(status(await server.wire(`GET /healthz HTTP/1.1\r\n${head()}${line}\r\n\r\n`))).toBe(400);
    }
    const bearer = `Authorization: Bearer ${server.server.token}\r\nAuthorization: Bearer x`;
    expect(status(await server.wire(`GET /api/status HTTP/1.1\r\n${head()}${bearer}\r\n\r\n`))).toBe(400);
    const types = "Content-Type: application/json\r\nContent-Type: text/plain";
    const post = `POST /api/session HTTP/1.1\r\n${head()}Origin: ${same}\r\n${types}\r\nContent-Length: 2\r\n\r\n{}`;
    expect(status(await server.wire(post))).toBe(400);
  });

  test("should refuse bodies of GET, other content types, encodings, broken UTF-8, deep and odd JSON", async () => {
    const get = `GET /api/status HTTP/1.1\r\n${head()}Authorization: Bearer ${server.server.token}\r\nContent-Length: 2\r\n\r\n{}`;
    expect(status(await server.wire(get))).toBe(400);
    const post = (headers: Record<string, string>, body: string | Buffer): Promise<{ status: number }> =>
      server.raw(
        "POST",
        "/api/projects",
        { Authorization: `Bearer ${server.server.token}`, Origin: `http://${server.host}`, ...headers },
        body,
      );
    for (const type of [
      "text/plain",
      "application/json;charset=utf-8",
      "application/json; charset=latin1",
      "Application/JSON",
    ]) {
      expect([type, (await post({ "Content-Type": type }, "{}")).status]).toEqual([type, 415]);
    }
    const json = { "Content-Type": "application/json" };
    expect((await post({ ...json, "Content-Encoding": "gzip" }, "{}")).status).toBe(415);
    expect((await post(json, Buffer.from([0x22, 0xff, 0x22]))).status).toBe(400);
    expect((await post(json, "[".repeat(10_000))).status).toBe(400);
    expect((await post(json, '{"name":"x","__proto__":{}}')).status).toBe(400);
    expect((await post(json, '{"name":"x","more":1}')).status).toBe(400);
    expect((await post(json, `{"name":"${"x".repeat(ROUTES.createProject.limit)}"}`)).status).toBe(413);
    const chunked = { ...json, "Transfer-Encoding": "chunked" };
    expect((await post(chunked, " ".repeat(ROUTES.createProject.limit + 1))).status).toBe(413);
  });

  test("should route strictly and answer unknown API paths as JSON, only to who is signed in", async () => {
    expect((await server.api("GET", "/api/nothing")).json.error.code).toBe("not-found");
    for (const path of ["/api/Projects", "/api/projects/", "/api/status/", "/api"]) {
      expect([path, [400, 404].includes((await server.api("GET", path)).status)]).toEqual([path, true]);
    }
    for (const path of [
      "/api//projects",
      "/api/projects;a",
      "/api/%70rojects",
      "/api/./status",
      "/api/../api/status",
    ]) {
      expect([path, (await server.api("GET", path)).status]).toEqual([path, 400]);
    }
    expect((await server.raw("GET", "/api/nothing")).status).toBe(401);
    expect((await server.raw("OPTIONS", "/api/status")).status).toBe(405);
    const override = await server.api(
      "POST",
      "/api/session/codes",
      {},
      { "X-HTTP-Method-Override": "DELETE" },
    );
    expect(override.status).toBe(200);
  });

  test("should send the security headers with every answer and no cookie ever", async () => {
    for (const path of ["/", "/healthz", "/api/status", "/api/nothing"]) {
      const { headers } = await server.raw("GET", path);
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
      expect(headers["set-cookie"]).toBeUndefined();
      expect(headers["x-powered-by"]).toBeUndefined();
    }
  });
});

describe("paths", () => {
  test.each(["../../x", "..", "%2e%2e%2fetc", "a/b", "/etc/passwd", "x\0y", "Über", "a".repeat(65), "class"])(
    "row 69: a project called %j is refused and nothing outside is touched",
    async (name) => {
      const answer = await server.api("POST", "/api/projects", { name });
      expect(answer.status).toBe(400);
    },
  );

  test.each(["../../x", "%2e%2e", "..%2f..%2fetc%2fpasswd", "a%00b", "....", "0".repeat(19)])(
    "row 69: an id of the form %j is 400",
    async (id) => {
      for (const path of [`/api/projects/${id}`, `/api/projects/${project}/files/${id}`]) {
        const answer = await server.wire(
          `GET ${path} HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: Bearer ${server.server.token}\r\nConnection: close\r\n\r\n`,
        );
        expect(answer).toMatch(/^HTTP\/1\.1 400/);
      }
    },
  );

  test("row 69: an example is chosen from the list, never by path", async () => {
    const answer = await server.api("POST", "/api/projects", { name: "stolen", example: "../../etc" });
    expect(answer.status).toBe(404);
  });
});

describe("sign-in", () => {
  test("should not burn the code by a request that fails an earlier check", async () => {
    const code = freshCode();
    expect((await exchange(code, { Origin: "http://evil.example" })).status).toBe(403);
    expect((await exchange(code, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await exchange(code, { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await exchange(code, { Host: "evil.example" })).status).toBe(403);
    const answer = await exchange(code);
    expect(answer.status).toBe(200);
    expect(answer.json.token).toBe(server.server.token);
    const again = await exchange(code);
    expect(again.status).toBe(403);
    expect(again.json.error.help).toContain("penstock open");
  });

  test("should count wrong codes only, ten a minute, on the exchange only", async () => {
    // One was counted by the second use above.
    for (let count = 0; count < 30; count++) await exchange("wrong", { Origin: "http://evil.example" });
    let limited = await exchange("wrong");
    for (let count = 0; count < 10 && limited.status === 403; count++) limited = await exchange("wrong");
    expect(limited.status).toBe(429);
    expect(Number(limited.headers["retry-after"])).toBeGreaterThan(0);
    expect((await server.api("GET", "/api/status")).status).toBe(200);
  });

  test("should let the owner in while another program tries wrong codes all the time", async () => {
    const code = freshCode();
    let wrong = await exchange("wrong");
    for (let count = 0; count < 10 && wrong.status === 403; count++) wrong = await exchange("wrong");
    expect(wrong.status).toBe(429);
    const right = await exchange(code);
    expect([right.status, right.json.token]).toEqual([200, server.server.token]);
    expect((await exchange("wrong")).status).toBe(429);
    expect((await exchange(code)).status).toBe(429);
  });
});

describe("a program without the token", () => {
  const clients: Socket[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });

  /** A connection that never ends its side. */
  const hold = async (text = ""): Promise<Socket> => {
    const client = connect({ port: server.server.port, host: "127.0.0.1", allowHalfOpen: true });
    client.on("error", () => undefined).resume();
    clients.push(client);
    await once(client, "connect");
    client.write(text);
    return client;
  };

  test("row 23: that holds more connections than there are does not keep others out, nor cuts who signed in", async () => {
    // A socket, as a page holds one: an idle HTTP connection would end by itself on a slow machine.
    const signedIn = await TestSocket.open(server);
    const first = await hold();
    const gone = once(first, "end");
    for (let at = 0; at < LIMITS.strangers; at++) await hold();
    expect((await server.raw("GET", "/healthz")).status).toBe(200);
    await gone;
    signedIn.send({ type: "open", project });
    await signedIn.next("opened");
    signedIn.close();
  });

  test("row 23: whose upgrade is refused holds no connection by leaving its side open", async () => {
    const client = await hold(
      `GET /api/socket HTTP/1.1\r\nHost: ${server.host}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    );
    await once(client, "end");
    // The server's end of it is gone: what is written there is answered by a reset.
    for (let at = 0; at < 1_000 && !client.closed; at++) {
      client.write("x");
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (!client.closed) await once(client, "close");
    expect(client.closed).toBe(true);
  });

  test("row 23: that sends a thousand small requests ahead is cut off instead of being served", async () => {
    let answers = "";
    const client = await hold();
    client.on("data", (chunk) => (answers += String(chunk)));
    client.write(`GET /healthz HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`.repeat(1_000));
    await Promise.race([once(client, "end"), once(client, "close")]);
    expect(answers.split("HTTP/1.1 200").length - 1).toBeLessThan(100);
  });

  test("makes the server hold no long body where a code is expected", async () => {
    const answer = await exchange("x".repeat(ROUTES.exchangeCode.limit));
    expect(answer.status).toBe(413);
  });
});
