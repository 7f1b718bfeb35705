import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type * as connection from "./connection.js";
import { dropToken, keepToken } from "../server/session.js";

const status = { machine: { cpus: [0] } };
let fetches: string[];
let answer: (path: string) => Promise<Response>;
let page: typeof connection;

beforeEach(async () => {
  vi.resetModules();
  vi.spyOn(console, "error").mockReturnValue();
  fetches = [];
  vi.stubGlobal("fetch", (path: string) => {
    fetches.push(path);
    return answer(path);
  });
  vi.stubGlobal("WebSocket", EventTarget);
  page = await import("./connection.js");
});
afterEach(() => {
  dropToken();
  history.replaceState(null, "", "/");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
const phase = () => page.connectionStore.getState().phase;
const becomes = (kind: string) => expect.poll(() => phase().kind).toBe(kind);

it("says that the page could not start when the server is of another version, and starts when it can", async () => {
  keepToken("t");
  answer = async () => Response.json({ version: "of tomorrow" });
  page.startConnection();
  await becomes("failed");
  expect(phase()).toEqual({ kind: "failed", message: expect.stringContaining("cpus") });
  answer = async () => Response.json(status);
  page.reconnect();
  await becomes("ready");
});

it("says that the server is gone when its first answer was cut off", async () => {
  keepToken("t");
  answer = async () => new Response("{");
  page.startConnection();
  await becomes("unreachable");
  expect(fetches).toEqual(["/api/status"]);
});

it("keeps the code of the address until a server has answered it", async () => {
  history.replaceState(null, "", "/#code=abc");
  answer = async () => Promise.reject(new TypeError("Failed to fetch"));
  page.startConnection();
  await becomes("unreachable");
  answer = async (path) => Response.json(path.endsWith("session") ? { token: "t" } : status);
  page.reconnect();
  await becomes("ready");
  expect(fetches).toEqual(["/api/session", "/api/session", "/api/status"]);
});

it("keeps the code while the server fails at it, and says so", async () => {
  history.replaceState(null, "", "/#code=abc");
  answer = async () => Response.json({ error: { code: "internal", message: "It broke" } }, { status: 500 });
  page.startConnection();
  await becomes("signed-out");
  expect(phase()).toEqual({ kind: "signed-out", message: "It broke", again: true });
  answer = async (path) => Response.json(path.endsWith("session") ? { token: "t" } : status);
  page.reconnect();
  await becomes("ready");
});

it("goes on once another page of this browser has signed in", async () => {
  keepToken("of an earlier server");
  answer = async () => Response.json({ error: { code: "token", message: "no" } }, { status: 401 });
  page.startConnection();
  await becomes("signed-out");
  answer = async () => Response.json(status);
  keepToken("fresh");
  dispatchEvent(new StorageEvent("storage", { key: "another", newValue: "fresh" }));
  expect(phase().kind).toBe("signed-out");
  dispatchEvent(new StorageEvent("storage", { key: "penstock.token", newValue: "fresh" }));
  await becomes("ready");
});

it("is told about the project that is open by the socket that takes the place of a refused one", async () => {
  const sockets: { sent: string[]; open: () => void }[] = [];
  vi.stubGlobal(
    "WebSocket",
    class extends EventTarget {
      static readonly OPEN = 1;
      readyState = 0;
      sent: string[] = [];
      constructor() {
        super();
        sockets.push(this);
      }
      open() {
        this.readyState = 1;
        this.dispatchEvent(new Event("open"));
      }
      send(text: string) {
        this.sent.push(text);
      }
      close() {}
    },
  );
  keepToken("t");
  answer = async () => Response.json(status);
  page.startConnection();
  await becomes("ready");
  page.followProject("shop");
  answer = async () => Response.json({ error: { code: "token", message: "no" } }, { status: 401 });
  page.reconnect();
  await becomes("signed-out");
  answer = async () => Response.json(status);
  keepToken("fresh");
  dispatchEvent(new StorageEvent("storage", { key: "penstock.token", newValue: "fresh" }));
  await becomes("ready");
  expect(sockets).toHaveLength(2);
  sockets[1]!.open();
  expect(sockets[1]!.sent.join()).toContain('"shop"');
});

it("keeps the token of another page that signed in while a request of the old one was on its way", async () => {
  keepToken("of an earlier server");
  let refuse: (response: Response) => void = () => undefined;
  answer = () => new Promise((resolve) => (refuse = resolve));
  page.startConnection();
  await expect.poll(() => fetches.length).toBe(1);
  keepToken("fresh");
  answer = async () => Response.json(status);
  refuse(Response.json({ error: { code: "token", message: "no" } }, { status: 401 }));
  await becomes("ready");
  expect(fetches).toEqual(["/api/status", "/api/status"]);
});

it("stays ready when an attempt before the one that came through fails", async () => {
  keepToken("t");
  let fail: (error: Error) => void = () => undefined;
  answer = () => new Promise((_resolve, reject) => (fail = reject));
  page.startConnection();
  await expect.poll(() => fetches.length).toBe(1);
  answer = async () => Response.json(status);
  page.reconnect();
  await becomes("ready");
  fail(new TypeError("Failed to fetch"));
  // A turn later it would have been said.
  await new Promise((resolve) => setTimeout(resolve));
  expect(phase().kind).toBe("ready");
});

it("is ready when one of two attempts used the code and the other is refused", async () => {
  history.replaceState(null, "", "/#code=abc");
  const asked: ((response: Response) => void)[] = [];
  answer = async (path) =>
    path.endsWith("session") ? new Promise((resolve) => asked.push(resolve)) : Response.json(status);
  page.startConnection();
  page.reconnect();
  await expect.poll(() => asked.length).toBe(2);
  asked[0]!(Response.json({ token: "t" }));
  await becomes("ready");
  asked[1]!(Response.json({ error: { code: "x", message: "used" } }, { status: 403 }));
  await expect.poll(() => fetches.filter((path) => path === "/api/status").length).toBe(2);
  expect(phase().kind).toBe("ready");
});

it("is ready when the attempt that used the code is heard after the one that was refused", async () => {
  history.replaceState(null, "", "/#code=abc");
  const asked: ((response: Response) => void)[] = [];
  answer = async (path) =>
    path.endsWith("session") ? new Promise((resolve) => asked.push(resolve)) : Response.json(status);
  page.startConnection();
  page.reconnect();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]!(Response.json({ error: { code: "x", message: "used" } }, { status: 403 }));
  await becomes("signed-out");
  asked[0]!(Response.json({ token: "t" }));
  await becomes("ready");
});
