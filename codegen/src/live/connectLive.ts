import { EventEmitter } from "node:events";
import { WebSocket } from "ws";
import type { ControlMethod, LiveSample, LiveSchema, RpcResponse } from "../contract/index.js";
import { ByteBudget } from "./byteBudget.js";
import { readFrame } from "./readFrame.js";

export interface LiveAddress {
  /** `host:port` of the binary's control address. */
  control: string;
  /** What the binary calls that address, where a forwarded port has another number. */
  host?: string;
  token: string;
}

export interface LiveEvents {
  schema: [LiveSchema];
  sample: [LiveSample];
  /** No frame for too long, or no connection; `lastMs` is the wall clock of the last frame. */
  lost: [{ lastMs: number }];
  /** Nobody listens at its address, or of several processes none is left: lost it is after a while, or when who hears this says so. */
  refused: [];
  /** Frames come again after a loss. */
  found: [];
}

/** A command that the binary refused, with the problem of the rule it broke where it named one. */
export class CommandRefused extends Error {
  constructor(
    message: string,
    readonly rpcCode: number,
    readonly data?: { code: string; help: string },
  ) {
    super(message);
  }

  /** It was not the binary that refused: nobody answered. */
  get isUnreached(): boolean {
    return this.rpcCode === UNREACHED;
  }
}

/** Of the range that JSON-RPC leaves to its users; no binary answers with it. */
export const UNREACHED = -32099;

/** Frames come every 100 ms or every second; this much later than expected, the binary is lost. */
const LATE_MS = 800;
const SILENCE_MS = 1_500;
/** After how long without a frame the binary is lost. */
export const lostAfterMs = (intervalMs: number): number => Math.max(SILENCE_MS, intervalMs + LATE_MS);
/** Who only asks once is told nothing meanwhile, and waits for a binary that a busy machine keeps waiting. */
export const PATIENCE_MS = 10_000;
/** How long a binary may be lost where it is waited for so many times as long as usual: once, and a page is told at once. */
export const lostWithinMs = (patience: number): number => (patience - 1) * PATIENCE_MS;
const RECONNECT_MS = { first: 100, most: 2_000 };
const COMMAND_MS = 5_000;
/** Samples of a thousand nodes take a tenth of it; reading more at once would keep everybody waiting. */
const FRAME_BYTES = 4 * 1024 * 1024;
const BUDGET = { bytes: FRAME_BYTES, windowMs: 500 };
/** Messages and pings of a binary; it samples ten times a second, pings a few times a minute, and answers commands. */
const MOST_FRAMES = { count: 2_000, windowMs: 1_000 };

interface PendingCommand {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/**
 * The one connection to a binary's control address. Comes back by itself until it is closed; says
 * within two seconds when nothing comes any more, whatever the reason.
 */
export class LiveConnection extends EventEmitter<LiveEvents> {
  schema: LiveSchema | null = null;
  lastSample: LiveSample | null = null;
  lastFrameMs: number;
  isLost = false;

  private socket: WebSocket | null = null;
  private closed = false;
  private attempts = 0;
  private nextId = 1;
  private frames = 0;
  private wantsClose = true;
  private readonly pending = new Map<number, PendingCommand>();
  private readonly silence: NodeJS.Timeout;
  private silenceMs: number;
  private lastFrameAt = performance.now();
  private reconnect: NodeJS.Timeout | null = null;

  /**
   * @param now milliseconds of a clock that never goes back: what is too much at once goes by it
   * @param patienceMs the binary is not lost before, nor does a command fail for want of an answer
   */
  constructor(
    private readonly address: LiveAddress,
    private readonly now: () => number = () => performance.now(),
    private readonly patienceMs = 0,
  ) {
    super();
    this.silenceMs = Math.max(SILENCE_MS, patienceMs);
    this.lastFrameMs = Date.now();
    this.silence = setInterval(() => this.checkSilence(), 200);
    this.connect();
  }

  /** Sends a command; resolves with its result when it is in force, rejects with CommandRefused. */
  command(
    method: ControlMethod,
    params: unknown,
    withinMs = Math.max(COMMAND_MS, this.patienceMs),
  ): Promise<unknown> {
    const { socket } = this;
    if (!socket || socket.readyState !== socket.OPEN) {
      return Promise.reject(new CommandRefused("the binary cannot be reached just now", UNREACHED));
    }
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.whenAllIsRead(late), withinMs);
      const late = (): void => {
        if (this.pending.delete(id))
          reject(new CommandRefused(`no answer within ${withinMs / 1000} s`, UNREACHED));
      };
      this.pending.set(id, { resolve, reject, timer });
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  /** `close` true: samples every 100 ms; false: every second, while nobody looks. */
  watch(close: boolean): void {
    this.wantsClose = close;
    if (this.schema === null) return;
    // A binary that does not know it goes on as before, which is right as well.
    this.command("live.watch", { close }).catch(() => undefined);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.silence);
    if (this.reconnect) clearTimeout(this.reconnect);
    this.failPending("the connection was closed");
    this.socket?.terminate();
  }

  private connect(): void {
    const { control, host = control, token } = this.address;
    const socket = new WebSocket(`ws://${control}/live`, {
      headers: { Authorization: `Bearer ${token}`, Host: host },
      perMessageDeflate: false,
      maxPayload: FRAME_BYTES,
      handshakeTimeout: 2_000,
      followRedirects: false,
      autoPong: false,
      // One frame in a turn: however many come at once, everybody else has his.
      allowSynchronousEvents: false,
    });
    this.socket = socket;
    const frames = new ByteBudget(MOST_FRAMES.count, MOST_FRAMES.windowMs, this.now);
    const isTooMany = (): boolean => {
      if (frames.take(1) === 0) return false;
      socket.terminate();
      return true;
    };
    // The next one once the last is written: to who pings and reads nothing, answers would pile up.
    let isAnswering = false;
    socket.on("ping", (data) => {
      if (isTooMany() || isAnswering || socket.readyState !== socket.OPEN) return;
      isAnswering = true;
      socket.pong(data, true, () => (isAnswering = false));
    });
    const budget = new ByteBudget(BUDGET.bytes, BUDGET.windowMs, this.now);
    socket.on("message", (data, binary) => {
      if (isTooMany()) return;
      const wait = budget.take((data as Buffer).length);
      if (wait > 0 && !socket.isPaused) {
        socket.pause();
        setTimeout(() => socket.resume(), wait);
      }
      if (!binary) this.receive((data as Buffer).toString("utf8"));
    });
    socket.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNREFUSED") this.emit("refused");
    });
    socket.on("close", () => this.lostSocket());
  }

  private lostSocket(): void {
    this.failPending("the connection to the binary was lost");
    if (this.closed) return;
    const wait = Math.min(RECONNECT_MS.most, RECONNECT_MS.first * 2 ** this.attempts++);
    this.reconnect = setTimeout(() => this.connect(), wait * (0.5 + Math.random() / 2));
  }

  private receive(data: string): void {
    // What was read before it was closed is still given out.
    if (this.closed) return;
    const frame = readFrame(data);
    if (!frame) return;
    this.frames++;
    this.attempts = 0;
    this.lastFrameAt = performance.now();
    this.lastFrameMs = Date.now();
    if (this.isLost) {
      this.isLost = false;
      this.emit("found");
    }
    if ("jsonrpc" in frame) this.answer(frame);
    else if (frame.type === "schema") {
      const first = this.schema === null;
      this.schema = frame;
      this.silenceMs = Math.max(lostAfterMs(frame.intervalMs), this.patienceMs);
      if (first && !this.wantsClose) this.watch(false);
      this.emit("schema", frame);
    } else if (this.schema) {
      this.lastSample = frame;
      this.emit("sample", frame);
    }
  }

  private answer(response: RpcResponse): void {
    const waiting = response.id === null ? undefined : this.pending.get(response.id);
    if (!waiting || response.id === null) return;
    this.pending.delete(response.id);
    clearTimeout(waiting.timer);
    if ("error" in response) {
      const { message, code, data } = response.error;
      waiting.reject(new CommandRefused(message, code, data));
    } else waiting.resolve(response.result);
  }

  private checkSilence(): void {
    if (this.isLost || performance.now() - this.lastFrameAt < this.silenceMs) return;
    const { frames } = this;
    this.whenAllIsRead(() => {
      if (this.closed || this.isLost || frames !== this.frames) return;
      this.lose();
      // A half-open connection says nothing for ever; a new one finds out.
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.ping();
    });
  }

  /** Takes it for lost, whatever patience there is; frames that come all the same find it again. */
  lose(): void {
    if (this.closed || this.isLost) return;
    this.isLost = true;
    this.emit("lost", { lastMs: this.lastFrameMs });
  }

  /**
   * After a sleep of this machine timers come before what waits in the sockets: that is read first. Each frame is
   * given out in the turn after the one in which it was read.
   */
  private whenAllIsRead(then: () => void): void {
    const { frames } = this;
    setImmediate(() => setImmediate(() => (frames === this.frames ? then() : this.whenAllIsRead(then))));
  }

  private failPending(reason: string): void {
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(new CommandRefused(reason, UNREACHED));
    }
    this.pending.clear();
  }
}

/** Opens the live connection of a running binary. */
export const connectLive = (address: LiveAddress, now?: () => number, patienceMs?: number): LiveConnection =>
  new LiveConnection(address, now, patienceMs);

/** The same for who only asks once. */
export const connectPatiently = (address: LiveAddress, patienceMs: number = PATIENCE_MS): LiveConnection =>
  connectLive(address, undefined, patienceMs);
