import type { RawData, WebSocket } from "ws";
import { filterSample, type ViewFilter } from "../../live/index.js";
import {
  clientMessageSchema,
  type ClientMessage,
  type LiveSample,
  type LiveSchema,
  type ServerMessage,
} from "../../contract/index.js";
import { LIMITS } from "../http/limits.js";
import { MessageRate } from "./messageRate.js";

/** What a browser's messages lead to; the hub knows the projects. */
export interface BrowserEvents {
  opened(socket: BrowserSocket): void;
  gone(socket: BrowserSocket): void;
}

interface Waiting {
  schema: LiveSchema;
  sample: LiveSample;
}

const texts = new WeakMap<LiveSample, string>();

/** A sample as JSON; made once for all tabs that see the whole of it. */
function sampleText(sample: LiveSample): string {
  let text = texts.get(sample);
  if (text === undefined) texts.set(sample, (text = JSON.stringify(sample)));
  return text;
}

/** One browser tab: its project and view, its samples (the latest wins), and its limits. */
export class BrowserSocket {
  project: string | null = null;
  private view: ViewFilter = "all";
  private hidden = false;
  private readonly rate: MessageRate;
  private readonly waiting = new Map<string, Waiting>();
  private readonly skipped = new Map<string, number>();
  /** Messages after it was told to go, or beyond the rate. */
  private tooMany = 0;
  private lastPong: number;
  private unsentSince: number | null = null;
  private behind = false;
  private nextSampleAt = 0;
  private sampleTimer: NodeJS.Timeout | null = null;

  constructor(
    private readonly socket: WebSocket,
    private readonly events: BrowserEvents,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.lastPong = this.now();
    this.rate = new MessageRate(LIMITS.socketMessagesPerSecond, this.now);
    socket.on("message", (data, binary) => this.receive(data, binary));
    socket.on("ping", () => this.allow());
    socket.on("pong", () => {
      if (this.allow()) this.lastPong = this.now();
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      if (this.sampleTimer) clearTimeout(this.sampleTimer);
      events.gone(this);
    });
  }

  /** True when nobody looks at this tab closely. */
  get isHidden(): boolean {
    return this.hidden;
  }

  /** Everything but samples: sent at once, in order. A socket that cannot take it is closed. */
  send(message: ServerMessage): void {
    if (this.socket.readyState !== this.socket.OPEN || this.closeIfStuck()) return;
    this.socket.send(JSON.stringify(message));
  }

  /** Keeps the newest sample of each binary of the project that it shows and sends it when its time has come. */
  offerSample(project: string, schema: LiveSchema, sample: LiveSample): void {
    // Who is being told of a project may have opened another one meanwhile.
    if (project !== this.project) return;
    // Faster samples than we show are no loss; those a slow browser makes us leave out are.
    if (this.behind && this.waiting.has(schema.binary)) this.countSkipped(schema.binary);
    this.waiting.set(schema.binary, { schema, sample });
    if (this.sampleTimer) return;
    const wait = this.nextSampleAt - this.now();
    if (wait <= 1) this.sendSamples();
    else this.sampleTimer = setTimeout(() => this.sendSamples(), wait);
  }

  /** The binary is gone: what waits of it is old. */
  forgetSamples(binary: string): void {
    this.waiting.delete(binary);
    this.skipped.delete(binary);
  }

  /** Every ping interval: asks for a pong, and drops a peer that has not given one for too long. */
  checkAlive(): void {
    if (this.now() - this.lastPong > LIMITS.pongWithinMs) this.socket.terminate();
    else if (!this.closeIfStuck() && this.socket.readyState === this.socket.OPEN) this.socket.ping();
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  private sendSamples(): void {
    this.sampleTimer = null;
    const interval = this.hidden ? LIMITS.hiddenSampleEveryMs : LIMITS.sampleEveryMs;
    this.nextSampleAt = this.now() + interval;
    if (this.socket.readyState !== this.socket.OPEN || this.closeIfStuck()) return;
    this.behind = this.socket.bufferedAmount > LIMITS.unsentSkipBytes;
    if (this.behind) {
      // Left waiting: a newer one takes its place, and this one counts as skipped then.
      if (this.waiting.size > 0) this.sampleTimer = setTimeout(() => this.sendSamples(), interval);
      return;
    }
    for (const [binary, { schema, sample }] of this.waiting) {
      const seen = sampleText(filterSample(schema, sample, this.view));
      const project = JSON.stringify(this.project ?? "");
      const head = `{"type":"live-sample","project":${project},"binary":${JSON.stringify(binary)}`;
      this.socket.send(`${head},"skipped":${this.skipped.get(binary) ?? 0},"sample":${seen}}`);
      this.skipped.delete(binary);
    }
    this.waiting.clear();
  }

  private countSkipped(binary: string): void {
    this.skipped.set(binary, (this.skipped.get(binary) ?? 0) + 1);
  }

  private closeIfStuck(): boolean {
    const unsent = this.socket.bufferedAmount;
    if (unsent <= LIMITS.unsentSkipBytes) this.unsentSince = null;
    else this.unsentSince ??= this.now();
    const stuck =
      unsent > LIMITS.unsentCloseBytes ||
      (this.unsentSince !== null && this.now() - this.unsentSince > LIMITS.unsentCloseMs);
    // A close frame would wait behind everything unsent.
    if (stuck) this.socket.terminate();
    return stuck;
  }

  private allow(): boolean {
    if (this.rate.allow() && this.socket.readyState === this.socket.OPEN) return true;
    if (++this.tooMany > LIMITS.socketMessagesTooMany) this.socket.terminate();
    else this.socket.close(1008, "too many messages");
    return false;
  }

  private receive(data: RawData, binary: boolean): void {
    if (!this.allow()) return;
    if (binary) {
      this.socket.close(1003, "text only");
      return;
    }
    const message = readClientMessage((data as Buffer).toString("utf8"));
    if (!message) {
      this.socket.close(1008, "unknown message");
      return;
    }
    if (message.type === "open") {
      this.waiting.clear();
      this.skipped.clear();
      this.project = message.project;
      this.events.opened(this);
    } else if (message.type === "close") {
      this.project = null;
      this.waiting.clear();
    } else {
      this.view = message.nodes === "all" ? "all" : new Set(message.nodes);
      this.hidden = message.hidden ?? false;
    }
  }
}

/** A browser's message, or null when it is none of those we know. */
function readClientMessage(text: string): ClientMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return clientMessageSchema.safeParse(value).data ?? null;
}
