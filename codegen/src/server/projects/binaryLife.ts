import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { GoodBinary } from "../../build/index.js";
import type { Problem } from "../../model/diagnostics/index.js";
import { arrange, differenceWords } from "../../arrange/index.js";
import {
  CommandRefused,
  connectLive,
  type LiveConnection,
  LiveReplicas,
  lostWithinMs,
} from "../../live/index.js";
import type { Preset } from "../../model/topology/index.js";
import type { SandboxOptions } from "../../process/index.js";
import type { BinaryState, BinaryStatus, LiveSample, LiveSchema } from "../../contract/index.js";
import { AttachedProcesses } from "./attachedProcesses.js";
import { LiveHistory, type KeptSample } from "./liveHistory.js";
import { runAs } from "./runAs.js";
import { statusOf } from "./statusOf.js";
import {
  readKeyFile,
  READY_WITHIN_MS,
  STOP_GRACE_MS,
  startFiles,
  Supervisor,
  type AttachedBinary,
  type FoundRates,
  type LogBook,
} from "../../run/index.js";

export interface BinaryLifeEvents {
  status(): void;
  problem(problem: Problem | null): void;
  schema(schema: LiveSchema): void;
  sample(schema: LiveSchema, sample: LiveSample): void;
  lost(lastMs: number): void;
  /** What a preset changed in it, or why it was refused, in words. */
  preset(words: string): void;
}

/** What a process is started from. */
export interface Origin {
  projectDir: string;
  binary: string;
  good: GoodBinary;
  relaxPins: boolean;
  /** What it finds in its environment. */
  env: NodeJS.ProcessEnv;
}

/** Names what a process was started from, to tell whether a build, or who renewed its keys, has made something new. */
async function stampOf({ projectDir, binary, good, relaxPins, env }: Origin): Promise<string> {
  const hash = createHash("sha256").update(String(relaxPins));
  for (const path of [good.executable, good.config]) hash.update(await readFile(path)).update("\0");
  for (const path of await startFiles(binary, projectDir, good.config, env))
    hash.update(readKeyFile(path) ?? "none").update("\0");
  return hash.digest("hex");
}

/** Of a process that is on its way out, or waited for to be started anew. */
const AT_AN_END: ReadonlySet<BinaryState> = new Set(["stopping", "crashed"]);

const isAlive = (state: BinaryState): boolean => !["stopped", "failed"].includes(state);

/** One binary of a project: its supervised processes, those that are attached, and the live connections to all. */
export class BinaryLife {
  private readonly live: LiveReplicas;
  private readonly attached: AttachedProcesses;
  private readonly past = new LiveHistory();
  private readonly problems: (Problem | null)[] = [];
  /** The last connection to each process that was settled: closed, it still has how the process ran at its end. */
  private readonly ran = new Map<number, LiveConnection>();
  /** Rates that loads had found in those which ended since. */
  private readonly found = new Map<number, FoundRates>();
  private watched = true;
  private preset: Preset | undefined;

  private constructor(
    readonly supervisors: readonly Supervisor[],
    private readonly stamp: string,
    private readonly events: BinaryLifeEvents,
    private readonly patience: number,
  ) {
    this.live = this.newLive();
    const changed = (): void => {
      this.expectThem();
      events.status();
    };
    this.attached = new AttachedProcesses(this.live, patience, changed);
    for (const [at, supervisor] of supervisors.entries()) {
      supervisor.on("status", changed);
      supervisor.on("problem", (problem) => {
        this.problems[at] = problem;
        events.problem(this.problems.find((one) => one) ?? null);
      });
      supervisor.on("ready", ({ control }) => this.connect(at, control));
      supervisor.on("exit", ({ found }) => {
        this.found.set(at + 1, { ...this.found.get(at + 1), ...found });
        this.live.take(at + 1);
      });
    }
  }

  static async start(
    options: Origin & {
      /** How many processes of it. */
      replicas: number;
      sandbox?: SandboxOptions;
      logs: LogBook;
      /** How many times as long as usual it is waited for. */
      patience: number;
    },
    events: BinaryLifeEvents,
  ): Promise<BinaryLife> {
    const { projectDir, binary, replicas, good, relaxPins, sandbox, logs, patience } = options;
    const supervisors = Array.from(
      { length: replicas },
      (_, at) =>
        new Supervisor({
          projectDir,
          binary,
          replica: at + 1,
          executable: good.executable,
          config: good.config,
          relaxPins,
          logs,
          stopGraceMs: STOP_GRACE_MS * patience,
          readyWithinMs: READY_WITHIN_MS * patience,
          ...(sandbox ? { sandbox } : {}),
        }),
    );
    const life = new BinaryLife(supervisors, await stampOf(options), events, patience);
    for (const supervisor of supervisors) supervisor.start();
    return life;
  }

  /** One of which nothing was started here: it has what is attached. */
  static ofAttached(patience: number, events: BinaryLifeEvents): BinaryLife {
    return new BinaryLife([], "", events, patience);
  }

  get status(): BinaryStatus {
    return statusOf([...this.supervisors, ...this.attached.all]);
  }

  /** Nothing was started, and nothing is attached any more. */
  get isEmpty(): boolean {
    return this.supervisors.length + this.attached.size === 0;
  }

  /** What is attached to it. */
  get notes(): AttachedBinary[] {
    return this.attached.notes;
  }

  /** Has these attached from now on, and no others. */
  setAttached(entries: readonly AttachedBinary[]): void {
    this.attached.set(entries);
    this.expectThem();
  }

  /**
   * What was stopped or has failed for good, or is attached and does not answer, has no part in figures and rates
   * until it is back; what crashed is started again.
   */
  private expectThem(): void {
    const started = this.supervisors.filter(({ status }) => isAlive(status.state)).length;
    this.live.expect(Math.max(started + this.attached.here, 1));
  }

  /** Lets go of all connections; what is attached goes on where it runs. */
  close(): void {
    this.attached.set([]);
    this.live.close();
  }

  /** True while so many processes of exactly this build run. */
  async runs(origin: Origin, replicas: number): Promise<boolean> {
    return (
      this.supervisors.length === replicas &&
      this.supervisors.every(({ status: { state } }) => isAlive(state) && !AT_AN_END.has(state)) &&
      this.stamp === (await stampOf(origin))
    );
  }

  /** False when there is no process and none is going to be started. */
  get isAlive(): boolean {
    return this.supervisors.some(({ status }) => isAlive(status.state));
  }

  /** The connection to the processes that run now. */
  get connection(): LiveReplicas | null {
    return this.live.isOpen ? this.live : null;
  }

  get schema(): LiveSchema | null {
    return this.connection?.schema ?? null;
  }

  get lastSample(): LiveSample | null {
    return this.connection?.lastSample ?? null;
  }

  /** Samples of the last quarter of an hour that are older than `lastSample`. */
  get history(): KeptSample[] {
    return this.past.before(this.lastSample?.t ?? 0);
  }

  /** Wall clock of the last frame when the connection is lost, else null. */
  get lostSinceMs(): number | null {
    return this.live.isOpen && this.live.isLost ? this.live.lastFrameMs : null;
  }

  /** The pools and joins it has from now on, also whenever it is started anew; undefined: as drawn. */
  async usePreset(preset: Preset | undefined): Promise<void> {
    this.preset = preset;
    // Each by itself: what one is, or ends meanwhile, says nothing about the others.
    await Promise.all(this.own().map(([replica, live]) => this.applyPreset(replica, live)));
  }

  /** The processes that were started here and answer. */
  private own(): [replica: number, live: LiveConnection][] {
    return this.live.each().filter(([replica]) => !this.attached.has(replica));
  }

  /** Brings the preset into force in a process; a binary that refuses it is stopped, with the reason. */
  private async applyPreset(replica: number, live: LiveConnection): Promise<void> {
    const { preset } = this;
    const { schema } = live;
    if (preset === undefined || schema === null) return;
    const whose = this.supervisors.length > 1 ? `${this.supervisors[replica - 1]?.name}: ` : "";
    try {
      const changed = await arrange(({ method, params }) => live.command(method, params), schema, preset);
      const words = changed.map(differenceWords).join("; ");
      this.events.preset(`${whose}${preset.name} is in force${words === "" ? "" : `: ${words}`}`);
    } catch (error) {
      if (!(error instanceof CommandRefused) || error.isUnreached) {
        // The connection was lost: asked for again with the next one, of this process or of the next.
        this.events.preset(`${whose}${preset.name} is not in force yet: ${(error as Error).message}`);
        live.once("schema", () => void this.applyPreset(replica, live));
        return;
      }
      const { data, message } = error;
      const reason = `the preset ${preset.name} was refused: ${message}`;
      this.events.preset(reason);
      this.events.problem({
        code: data?.code ?? "PS754",
        severity: "error",
        message: reason,
        pointer: "",
        help: data?.help ?? "Save the preset again.",
      });
      await this.stop();
    }
  }

  watch(close: boolean): void {
    if (this.watched === close) return;
    this.watched = close;
    this.attached.watch(close);
    this.live.watch(close);
  }

  /** Resolves when each of its processes is ready, or has ended for good. */
  async settled(): Promise<void> {
    await Promise.all(this.supervisors.map((supervisor) => supervisor.settled()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.supervisors.map((supervisor) => supervisor.stop()));
  }

  private newLive(): LiveReplicas {
    const live = new LiveReplicas(this.supervisors.length);
    live.on("schema", (schema) => this.events.schema(schema));
    live.on("sample", (sample) => {
      this.past.add(sample, Date.now());
      if (live.schema) this.events.sample(live.schema, sample);
    });
    live.on("lost", ({ lastMs }) => this.events.lost(lastMs));
    return live;
  }

  private connect(at: number, control: string): void {
    const supervisor = this.supervisors[at];
    if (supervisor === undefined) return;
    // What one process did says nothing about the next; of several the others go on.
    if (this.supervisors.length + this.attached.size === 1) this.past.clear();
    const live = connectLive({ control, token: supervisor.token }, undefined, lostWithinMs(this.patience));
    this.live.put(at + 1, live);
    live.watch(this.watched);
    live.once("schema", () => void this.settle(at + 1, live));
    live.on("schema", ({ topologyHash }) => {
      if (topologyHash !== supervisor.status.topologyHash) supervisor.setTopologyHash(topologyHash);
    });
    live.on("lost", () => supervisor.setResponsive(false));
    live.on("found", () => {
      supervisor.setResponsive(true);
      void this.follow(at + 1, live);
    });
  }

  /** Brings a process that has just started to the preset, and one that was started anew to how it is to run now. */
  private async settle(replica: number, live: LiveConnection): Promise<void> {
    const before = this.ran.get(replica);
    await this.applyPreset(replica, live);
    if ((this.supervisors[replica - 1]?.status.restarts ?? 0) > 0)
      await this.follow(replica, live, before, this.found.get(replica));
    this.ran.set(replica, live);
    this.found.delete(replica);
  }

  /** Brings a process that missed changes to how the others run that were started with it; without any, to how it ran `before`. */
  private async follow(
    replica: number,
    live: LiveConnection,
    before?: LiveConnection,
    found?: FoundRates,
  ): Promise<void> {
    const [, other] = this.own().find(([one]) => one !== replica) ?? [];
    const wanted = (other ?? before)?.schema ?? null;
    if (wanted === null || live.schema === null || (other && this.live.isLeader(replica))) return;
    const name = this.supervisors[replica - 1]?.name ?? "";
    try {
      const changed = await runAs(
        ({ method, params }) => live.command(method, params),
        live.schema,
        wanted,
        found,
      );
      if (changed.length > 0) this.events.preset(`${name} was changed live before: ${changed.join("; ")}`);
    } catch (error) {
      const whom = other ? "the others do" : "before its end";
      this.events.preset(`${name} does not run as ${whom}: ${(error as Error).message}`);
    }
  }
}
