import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
} from "node:http";
import { Agent as HttpsAgent, type AgentOptions, request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { createSecureContext, rootCertificates } from "node:tls";
import { createHistogram, type EventLoopUtilization, performance } from "node:perf_hooks";
import type { LOAD_METHODS, LoadWhole } from "../contract/index.js";
import { readSmall } from "../disk/index.js";
import { type DrivenSecond, type LoadDriver, LoadRefused } from "./driver.js";
import { bodyMaker } from "./requestTemplate.js";
import { dueWithin } from "./steps.js";

export interface HttpLoad {
  url: URL;
  method: (typeof LOAD_METHODS)[number];
  /** Text of the body, `{{n}}` stands for the number of the request; undefined for none. */
  body: string | undefined;
  headers: Readonly<Record<string, string>>;
  /** PEM of an authority that is trusted beside those that Node has. */
  authority?: Buffer | undefined;
  /** Requests on their way at once; further ones wait, and their wait counts as latency. */
  connections: number;
  timeoutMs: number;
  /** So long what is still on its way at the end is waited for. */
  drainMs?: number;
  /** How many times as long as usual the first connection is waited for; once when left out. */
  patience?: number;
}

const CONNECT_MS = 5000;
/** Longer than any timeout that can be set, in microseconds. */
const LONGEST_US = 3_600_000_000;

/** Trusts an authority, too; made once, as certificates that are read for each connection cost more than the connection. */
function trusting(authority: Buffer | undefined): AgentOptions {
  if (authority === undefined) return {};
  const extra = readSmall(process.env["NODE_EXTRA_CA_CERTS"] ?? "", 4 * 1024 * 1024);
  return {
    secureContext: createSecureContext({ ca: [...rootCertificates, ...(extra ? [extra] : []), authority] }),
  };
}

/** What a request failed of, for people. */
function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}

/**
 * Sends requests at the moments they are due, whether or not earlier ones were answered (an open loop),
 * over connections that are kept. Latency counts from the moment a request was due: a target that
 * stalls does not stop the clock of what it keeps waiting (no coordinated omission).
 */
export class HttpDriver implements LoadDriver {
  private readonly agent: HttpAgent;
  private readonly send: typeof httpRequest;
  private readonly bodyOf: ((number: number) => Buffer) | null;
  /** Moments at which requests were due that have no connection yet; `head` is the next one. */
  private due: number[] = [];
  private head = 0;
  private open = 0;
  private number = 0;
  /** Due until now, fractions included. */
  private dueTotal = 0;
  /** Not 0: that is when this process began, less than a second ago perhaps. */
  private secondAt = -Infinity;
  private begunAt: number | null = null;
  private sent = 0;
  private completed = 0;
  private failed = 0;
  private readonly latency = createHistogram({ lowest: 1, highest: LONGEST_US, figures: 3 });
  private readonly all = {
    sent: 0,
    completed: 0,
    failed: 0,
    latency: createHistogram({ lowest: 1, highest: LONGEST_US, figures: 3 }),
  };
  private readonly reasons = new Map<string, number>();
  private utilization: EventLoopUtilization = performance.eventLoopUtilization();
  private closed = false;
  private timer: NodeJS.Timeout | null = null;
  private wake: ((gone: boolean) => void) | null = null;
  private drained: (() => void) | null = null;

  constructor(private readonly load: HttpLoad) {
    const secure = load.url.protocol === "https:";
    const { connections } = load;
    const options = {
      keepAlive: true,
      maxSockets: connections,
      maxFreeSockets: connections,
      scheduling: "lifo" as const,
    };
    const { authority } = load;
    this.agent = secure ? new HttpsAgent({ ...options, ...trusting(authority) }) : new HttpAgent(options);
    this.send = secure ? httpsRequest : httpRequest;
    this.bodyOf = load.body === undefined ? null : bodyMaker(load.body);
  }

  /** Connects once, so that an address nobody listens on is said at once and is no breaking point. */
  begin(): Promise<void> {
    const { hostname, port, protocol } = this.load.url;
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port: Number(port || (protocol === "https:" ? 443 : 80)) });
      const give = (error?: NodeJS.ErrnoException): void => {
        socket.destroy();
        if (error === undefined) return resolve();
        reject(
          new LoadRefused(
            "PS885",
            `${this.load.url.host} cannot be reached: ${reasonOf(error)}`,
            "Start what is to be loaded, and check the address.",
            "environment",
          ),
        );
      };
      const withinMs = CONNECT_MS * (this.load.patience ?? 1);
      socket.setTimeout(withinMs, () => give(new Error(`no answer within ${withinMs / 1000} s`)));
      socket.once("error", give);
      socket.once("connect", () => give());
    });
  }

  async second(rate: number): Promise<DrivenSecond | null> {
    if (this.closed) return null;
    // After a pause of this machine seconds begin anew: what nobody could send is not sent all at once.
    if (performance.now() - this.secondAt > 1000) this.secondAt = performance.now();
    const from = this.secondAt;
    this.begunAt ??= from;
    const moments = dueWithin(this.dueTotal, rate);
    this.dueTotal += rate;
    this.secondAt += 1000;
    const gone = await new Promise<boolean>((resolve) => {
      this.wake = resolve;
      let next = moments.next();
      const tick = (): void => {
        const now = performance.now();
        while (!next.done && from + next.value * 1000 <= now) {
          this.due.push(from + next.value * 1000);
          next = moments.next();
        }
        this.pump();
        if (now >= from + 1000) return resolve(false);
        const until = next.done ? from + 1000 : from + next.value * 1000;
        this.timer = setTimeout(tick, Math.max(0, until - performance.now()));
      };
      tick();
    });
    this.wake = null;
    return gone ? null : this.figures(rate);
  }

  drain(): Promise<void> {
    const { drainMs = 0 } = this.load;
    if (this.closed || drainMs === 0 || this.isIdle) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, drainMs);
      this.drained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  whole(): LoadWhole {
    const { sent, completed, failed, latency } = this.all;
    const known = latency.count > 0;
    const at = (percent: number): number | null => (known ? latency.percentile(percent) : null);
    return {
      tookMs: this.begunAt === null ? 0 : Math.round(performance.now() - this.begunAt),
      ...{ sent, completed, failed },
      minUs: known ? latency.min : null,
      p50Us: at(50),
      p95Us: at(95),
      p99Us: at(99),
      maxUs: known ? latency.max : null,
    };
  }

  end(): Promise<void> {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.wake?.(true);
    this.drained?.();
    this.agent.destroy();
    return Promise.resolve();
  }

  left(): [] {
    return [];
  }

  failures(): { reason: string; count: number }[] {
    return [...this.reasons]
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count);
  }

  private get isIdle(): boolean {
    return this.open === 0 && this.head === this.due.length;
  }

  private pump(): void {
    while (!this.closed && this.open < this.load.connections && this.head < this.due.length) {
      const at = this.due[this.head++];
      if (at !== undefined) this.request(at);
    }
    // What was sent is cut off now and then: an array that is shifted costs its length each time.
    if (this.head > 4096 && this.head * 2 > this.due.length) {
      this.due = this.due.slice(this.head);
      this.head = 0;
    }
  }

  private request(dueAt: number): void {
    const { url, method, headers, timeoutMs } = this.load;
    const body = this.bodyOf?.(++this.number);
    this.open += 1;
    this.sent += 1;
    this.all.sent += 1;
    let settled = false;
    let request: ClientRequest | null = null;
    const settle = (reason: string | null): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      this.open -= 1;
      if (reason === null) this.answered(dueAt);
      else this.refused(reason);
      this.pump();
      if (this.isIdle) this.drained?.();
    };
    // One for the whole request, body included: a target that trickles is late too.
    const timer = setTimeout(() => {
      settle(`no answer within ${timeoutMs / 1000} s`);
      request?.destroy();
    }, timeoutMs);
    request = this.send(url, {
      agent: this.agent,
      method,
      headers: body === undefined ? headers : { ...headers, "content-length": String(body.byteLength) },
    });
    request.on("response", (response: IncomingMessage) => {
      const status = response.statusCode ?? 0;
      response.on("end", () => settle(status >= 200 && status < 400 ? null : `HTTP ${status}`));
      response.on("error", (error: NodeJS.ErrnoException) => settle(reasonOf(error)));
      response.on("close", () => settle("closed before the answer was whole"));
      response.resume();
    });
    request.on("error", (error: NodeJS.ErrnoException) => settle(reasonOf(error)));
    request.end(body);
  }

  private answered(dueAt: number): void {
    this.completed += 1;
    this.all.completed += 1;
    const micros = Math.round((performance.now() - dueAt) * 1000);
    const recorded = Math.min(LONGEST_US, Math.max(1, micros));
    this.latency.record(recorded);
    this.all.latency.record(recorded);
  }

  private refused(reason: string): void {
    if (this.closed) return;
    this.failed += 1;
    this.all.failed += 1;
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }

  private figures(rate: number): DrivenSecond {
    const { latency } = this;
    const at = (percent: number): number | null => (latency.count > 0 ? latency.percentile(percent) : null);
    const utilization = performance.eventLoopUtilization();
    const second: DrivenSecond = {
      target: rate,
      sent: this.sent,
      completed: this.completed,
      failed: this.failed,
      skipped: 0,
      waiting: this.due.length - this.head + this.open,
      queued: null,
      p50Us: at(50),
      p90Us: at(90),
      p99Us: at(99),
      maxUs: latency.count > 0 ? latency.max : null,
      busy: performance.eventLoopUtilization(utilization, this.utilization).utilization,
    };
    this.utilization = utilization;
    this.sent = 0;
    this.completed = 0;
    this.failed = 0;
    latency.reset();
    return second;
  }
}
