import type { ServerMessage } from "@penstock/codegen/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isLost, openSocket, type SocketState } from "./socket.js";

class FakeSocket {
  readyState = 0;
  sent: string[] = [];
  closed: number | undefined;
  private readonly listeners = new Map<string, (event: { data: string; code?: number }) => void>();
  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {}
  addEventListener(type: string, listener: (event: { data: string; code?: number }) => void) {
    this.listeners.set(type, listener);
  }
  say(data: string) {
    this.listeners.get("message")?.({ data });
  }
  send(text: string) {
    this.sent.push(text);
  }
  close(code: number) {
    this.closed = code;
    this.readyState = 3;
  }
  open() {
    this.readyState = 1;
    this.listeners.get("open")?.({ data: "" });
  }
  lose(code = 1006) {
    this.readyState = 3;
    this.listeners.get("close")?.({ data: "", code });
  }
}

function setUp(token: string | undefined = "secret") {
  const made: FakeSocket[] = [];
  const messages: ServerMessage[] = [];
  const states: SocketState[] = [];
  const socket = openSocket({
    url: "ws://127.0.0.1:1/api/socket",
    token: () => token,
    onMessage: (message) => messages.push(message),
    onState: (state) => states.push(state),
    create: (url, protocols) => {
      const fake = new FakeSocket(url, protocols);
      made.push(fake);
      return fake as unknown as WebSocket;
    },
    random: () => 1,
  });
  return { socket, made, messages, states, newest: () => made.at(-1)! };
}

describe("the project socket", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("carries the token as a subprotocol and nothing else", () => {
    const { made } = setUp();
    expect(made[0]?.protocols).toEqual(["penstock", "token.secret"]);
  });

  it("does not connect without a token", () => {
    expect(setUp("").made.length).toBe(0);
  });

  it("names its project when it opens, also after a loss (row 18)", () => {
    const { socket, made, newest } = setUp();
    socket.show("ads");
    socket.view("all", false);
    newest().open();
    expect(newest().sent.map((text) => JSON.parse(text))).toEqual([
      { type: "open", project: "ads" },
      { type: "view", nodes: "all", hidden: false },
    ]);
    newest().lose();
    vi.advanceTimersByTime(250);
    expect(made).toHaveLength(2);
    newest().open();
    expect(newest().sent[0]).toBe('{"type":"open","project":"ads"}');
  });

  it("waits longer after each failure, up to five seconds, and at once when nudged", () => {
    const { socket, made, newest } = setUp();
    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      const before = Date.now();
      const count = made.length;
      newest().lose();
      while (made.length === count) vi.advanceTimersByTime(50);
      waits.push(Date.now() - before);
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    newest().lose();
    const count = made.length;
    socket.nudge();
    expect(made.length).toBe(count + 1);
    vi.advanceTimersByTime(10_000);
    expect(made.length).toBe(count + 1);
  });

  it("is lost after the second failure, also while it is tried again, until it is open", () => {
    const { states, newest } = setUp();
    newest().open();
    newest().lose();
    expect(states.map(isLost)).toEqual([false, false, false]);
    vi.advanceTimersByTime(250);
    newest().lose();
    vi.advanceTimersByTime(500);
    expect(states.slice(3).map((state) => [state.kind, isLost(state)])).toEqual([
      ["connecting", false],
      ["waiting", true],
      ["connecting", true],
    ]);
    newest().open();
    expect(isLost(states.at(-1)!)).toBe(false);
  });

  it("is lost at once when the server says that it stops", () => {
    const { states, newest } = setUp();
    newest().open();
    newest().lose(1001);
    expect(states.at(-1)).toMatchObject({ kind: "waiting", stopped: true });
    vi.advanceTimersByTime(250);
    expect(isLost(states.at(-1)!)).toBe(true);
    newest().open();
    newest().lose();
    expect(states.at(-1)).toMatchObject({ kind: "waiting", stopped: false });
    expect(isLost(states.at(-1)!)).toBe(false);
  });

  it("hears nothing from a socket it has given up", () => {
    const { made, messages, newest } = setUp();
    newest().open();
    const old = made[0]!;
    old.lose();
    vi.advanceTimersByTime(250);
    old.say('{"type":"error","message":"late"}');
    newest().say('{"type":"error","message":"now"}');
    expect(messages).toEqual([{ type: "error", message: "now" }]);
  });

  it("stays closed once closed", () => {
    const { socket, made, states } = setUp();
    made[0]!.open();
    socket.close();
    made[0]!.lose();
    vi.advanceTimersByTime(60_000);
    expect(made).toHaveLength(1);
    expect(made[0]!.closed).toBe(1000);
    expect(states.at(-1)).toEqual({ kind: "closed" });
  });
});
