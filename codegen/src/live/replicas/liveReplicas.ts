import { EventEmitter } from "node:events";
import {
  ASKED_OF_ONE,
  rateTimes,
  type CommandMap,
  type ControlMethod,
  type LiveSample,
  type LiveSchema,
} from "../../contract/index.js";
import { CommandRefused, type LiveConnection, type LiveEvents, UNREACHED } from "../connectLive.js";
import { SampleSum } from "./sampleSum.js";

/**
 * The live connections to all processes of a binary as one connection. Names, threads and traces are those of one
 * process that answers, figures are summed, and a change is made in all of them. Of one process it is what that one says.
 */
export class LiveReplicas extends EventEmitter<LiveEvents> {
  schema: LiveSchema | null = null;
  lastSample: LiveSample | null = null;
  private readonly open = new Map<number, LiveConnection>();
  private readonly names = new Map<number, string>();
  /** Those that had counted before they came: of which process, by its start; null: it has said nothing yet. */
  private readonly joined = new Map<number, number | null>();
  private readonly sum: SampleSum;
  /** Those at whose address nobody listened when that was last seen. */
  private readonly refused = new Set<number>();
  private leader: number | undefined;
  /** Whose time was told last, and which; so much later it was told. */
  private clock: { replica: number; t: number } | null = null;
  private startMs = 0;
  private lastSampleAt = 0;
  private first: LiveSchema | undefined;
  private lastSeenMs = 0;
  private asked = 0;
  /** There has never been more than one: what it says is told as it is. */
  private isOne: boolean;

  /** @param count so many processes are meant to run */
  constructor(
    private count: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    super();
    this.sum = new SampleSum(count);
    this.isOne = count === 1;
  }

  /** Another number of processes is meant to run from now on: figures and their time go on as they are. */
  expect(count: number): void {
    if (count === this.count) return;
    this.count = count;
    this.sum.expect(count);
    if (count > 1) this.isOne = false;
    const leader = this.leader === undefined ? undefined : this.open.get(this.leader)?.schema;
    if (leader) this.tellSchema(leader);
  }

  /** There is a connection, lost or not. */
  get isOpen(): boolean {
    return this.open.size > 0;
  }

  /** Those that answer, in order. */
  each(): [replica: number, live: LiveConnection][] {
    const known = [...this.open].filter(([, { schema, isLost }]) => schema !== null && !isLost);
    return known.sort(([a], [b]) => a - b);
  }

  /** Its names are those of all. */
  isLeader(replica: number): boolean {
    return this.leader === replica;
  }

  /** Nothing comes from any of them. */
  get isLost(): boolean {
    return [...this.open.values()].every(({ isLost }) => isLost);
  }

  /** Wall clock of the last frame of any. */
  get lastFrameMs(): number {
    return Math.max(this.lastSeenMs, ...[...this.open.values()].map(({ lastFrameMs }) => lastFrameMs));
  }

  /** Resolves when every process that there is has said its names. */
  async allAnswer(): Promise<void> {
    const silent = [...this.open.values()].filter(({ schema }) => schema === null);
    await Promise.all(silent.map((live) => new Promise((resolve) => live.once("schema", resolve))));
  }

  /**
   * A process is ready, called by its name in refusals; the connection is closed with this one. `joins`: it has run
   * for a while, perhaps, and what it counted before is not counted here.
   */
  put(replica: number, live: LiveConnection, name = `process ${replica}`, joins = false): void {
    this.drop(replica);
    this.open.set(replica, live);
    this.names.set(replica, name);
    if (joins) this.joined.set(replica, null);
    live.on("refused", () => {
      this.refused.add(replica);
      this.tellRefused();
    });
    const takeSchema = (schema: LiveSchema): void => {
      this.refused.delete(replica);
      // Who heard of it first may have taken it out.
      if (this.open.get(replica) !== live) return;
      if (!this.elect() && this.leader === replica) this.tellSchema(schema);
    };
    if (live.schema !== null) takeSchema(live.schema);
    live.on("schema", takeSchema);
    live.on("sample", (sample) => this.takeSample(replica, live, sample));
    live.on("lost", ({ lastMs }) => {
      // It may be gone for good: it is none of them until it is back.
      if (this.joined.has(replica)) {
        this.sum.end(replica);
        this.joined.set(replica, null);
      } else this.sum.lose(replica);
      this.elect();
      if (this.isLost) this.emit("lost", { lastMs });
    });
    live.on("found", () => {
      const first = [...this.open.values()].every((one) => one === live || one.isLost);
      this.elect();
      if (first) this.emit("found");
    });
  }

  /** The process has ended, or is to be left alone. */
  take(replica: number): void {
    if (!this.open.has(replica)) return;
    this.drop(replica);
    this.tellRefused();
  }

  private drop(replica: number): void {
    const live = this.open.get(replica);
    if (live === undefined) return;
    const wasLost = this.isLost;
    this.lastSeenMs = this.lastFrameMs;
    this.open.delete(replica);
    this.refused.delete(replica);
    live.removeAllListeners();
    live.close();
    this.sum.end(replica);
    this.joined.delete(replica);
    if (this.isOne) {
      // Another process is another binary.
      this.schema = null;
      this.lastSample = null;
    }
    this.elect();
    if (this.open.size === 0 && !wasLost) this.emit("lost", { lastMs: this.lastSeenMs });
  }

  /** Nobody listens at the address of any that is left, or none is. */
  private tellRefused(): void {
    if (this.refused.size === this.open.size) this.emit("refused");
  }

  /** Sends a command; resolves with its result when it is in force in all that answer, rejects with CommandRefused. */
  async command(method: ControlMethod, params: unknown, withinMs?: number): Promise<unknown> {
    const answering = this.each();
    const turn = ASKED_OF_ONE.has(method) ? this.asked++ % Math.max(answering.length, 1) : 0;
    const [, first] = answering[turn] ?? [];
    if (first === undefined) throw new CommandRefused("the binary cannot be reached just now", UNREACHED);
    if (ASKED_OF_ONE.has(method)) return first.command(method, params, withinMs);
    const asked = this.ofEach(method, params);
    const result = await first.command(method, asked, withinMs);
    await Promise.all(
      answering.slice(1).map(([replica, live]) =>
        live.command(method, asked, withinMs).catch((error: unknown) => {
          if (!(error instanceof CommandRefused)) throw error;
          throw new CommandRefused(`${this.names.get(replica)}: ${error.message}`, error.rpcCode, {
            code: error.data?.code ?? "PS754",
            help: "Other processes have it in force: ask for the old setting, or start the binary again.",
          });
        }),
      ),
    );
    return this.ofAll(method, result);
  }

  /** Of a rate that is that of all processes together what each of them makes. */
  rateOfEach(perSecond: number): number {
    return rateTimes(perSecond, 1 / this.count);
  }

  /** A source's rate is that of all processes together. */
  private ofEach(method: ControlMethod, params: unknown): unknown {
    const { perSecond } = (params ?? {}) as { perSecond?: unknown };
    if (method !== "source.set" || typeof perSecond !== "number") return params;
    return { ...(params as object), perSecond: this.rateOfEach(perSecond) };
  }

  private ofAll(method: ControlMethod, result: unknown): unknown {
    if (method !== "source.set") return result;
    const { asked, actual, ...rest } = result as CommandMap["source.set"]["result"];
    return { ...rest, asked: rateTimes(asked, this.count), actual: rateTimes(actual, this.count) };
  }

  /** `close` true: samples every 100 ms; false: every second, while nobody looks. */
  watch(close: boolean): void {
    for (const live of this.open.values()) live.watch(close);
  }

  close(): void {
    for (const live of this.open.values()) {
      live.removeAllListeners();
      live.close();
    }
    this.open.clear();
  }

  /** One that answers gives the names, for as long as it does; without any, those there were stay. True: told those of another one. */
  private elect(): boolean {
    const answering = this.each();
    const [[replica, live] = []] = answering;
    if (replica === undefined || answering.some(([each]) => each === this.leader)) return false;
    const isAnother = this.leader !== undefined;
    this.leader = replica;
    if (isAnother && live?.schema) this.tellSchema(live.schema);
    return isAnother;
  }

  private tellSchema(schema: LiveSchema): void {
    this.schema = this.isOne ? schema : this.asOne(schema);
    this.emit("schema", this.schema);
  }

  /** Figures go on under another process's names: for who reads them it is one process, of the first one's time. */
  private asOne(schema: LiveSchema): LiveSchema {
    const { pid, startedAtMs } = (this.first ??= schema);
    const flows = schema.flows.map((flow) => {
      const { perSecond } = flow.source;
      const all = perSecond === null ? null : rateTimes(perSecond, this.count);
      return { ...flow, source: { ...flow.source, perSecond: all } };
    });
    return { ...schema, pid, startedAtMs, flows };
  }

  private takeSample(replica: number, { schema }: LiveConnection, sample: LiveSample): void {
    if (schema === null) return;
    if (this.isOne) {
      this.clock = { replica, t: sample.t };
      return this.tell(sample);
    }
    this.startCounting(replica, schema, sample);
    this.sum.take(replica, schema, sample);
    if (replica !== this.leader) return;
    const summed = this.sum.sum(replica, this.startOf(replica, sample));
    if (summed !== undefined) this.tell(summed);
  }

  /** One that joins counts from its first sample on; one that was started anew meanwhile is another process. */
  private startCounting(replica: number, schema: LiveSchema, sample: LiveSample): void {
    const counted = this.joined.get(replica);
    if (counted === undefined || counted === schema.startedAtMs) return;
    if (counted !== null) this.sum.end(replica);
    this.joined.set(replica, schema.startedAtMs);
    this.sum.join(schema, sample);
  }

  /** Time goes on from one leader to the next, and from one process of it to the next. */
  private startOf(replica: number, { t }: LiveSample): number {
    const { clock, lastSample: last } = this;
    this.clock = { replica, t };
    if (last !== null && (clock?.replica !== replica || clock.t >= t))
      this.startMs = last.t + Math.max(this.now() - this.lastSampleAt, 1) - t;
    return this.startMs;
  }

  private tell(sample: LiveSample): void {
    this.lastSample = sample;
    this.lastSampleAt = this.now();
    this.emit("sample", sample);
  }
}
