import { setTimeout } from "node:timers/promises";
import { findPreset } from "../../arrange/index.js";
import { findGoodBinary } from "../../build/index.js";
import { problem, type Problem } from "../../model/diagnostics/index.js";
import { CALL_GRACE_MS, callService, CommandRefused, type LiveReplicas } from "../../live/index.js";
import { fencedEnvironment, sandboxObstacle, type SandboxOptions } from "../../process/index.js";
import type {
  BinaryStatus,
  CommandMethod,
  GenerateAnswer,
  LoadRequest,
  LogLine,
  ServiceCall,
  ServiceCallEnd,
} from "../../contract/index.js";
import {
  binaryFence,
  certificateGap,
  listRunning,
  LogBook,
  nameOfRunning,
  notHandedOn,
  nothingStarts,
  startObstacles,
  STOP_GRACE_MS,
  stopInOrder,
  stopRunning,
  type AttachedBinary,
  type StartedBinary,
} from "../../run/index.js";
import { Refusal } from "../../workspace/index.js";
import {
  replicasOf,
  startOrder,
  type Binary,
  type Preset,
  type Topology,
} from "../../model/topology/index.js";
import type { BrowserSocket } from "../sockets/browserSocket.js";
import { Batch } from "./batch.js";
import { BinaryLife, type BinaryLifeEvents, type Origin } from "./binaryLife.js";
import { ProjectAttached } from "./projectAttached.js";
import { ProjectBench } from "./projectBench.js";
import { ProjectDrawing } from "./projectDrawing.js";
import { ProjectLoad } from "./projectLoad.js";
import { ProjectProfile } from "./projectProfile.js";
import { ProjectBuild, type BuildSlot } from "./projectBuild.js";
import type { RunnersContext } from "./runnersContext.js";

const PRESET = "release";
const LOG_LINES_AT_ONCE = 500;
/** From then on a server that ends tells those that are called, too: it has 4 s for all of it (http/limits.ts). */
const CLOSE_IN_ORDER_MS = 1500;

const stopped = (binary: string): BinaryStatus => ({
  binary,
  state: "stopped",
  detail: "",
  pid: null,
  control: null,
  http: null,
  startedAtMs: null,
  restarts: 0,
  topologyHash: null,
});

/** Generates, builds and runs one project, and tells the tabs that show it. */
export class ProjectRunner {
  private readonly lives = new Map<string, BinaryLife>();
  private readonly runProblems = new Map<string, Problem>();
  private readonly build: ProjectBuild;
  private readonly bench: ProjectBench;
  private readonly load: ProjectLoad;
  readonly attached: ProjectAttached;
  readonly drawing: ProjectDrawing;
  readonly profile: ProjectProfile;
  private readonly logLines: Batch<LogLine>;
  private readonly book: LogBook;
  private running: Promise<void> | null = null;
  private readonly tasks = new Set<Promise<void>>();
  /** Of the start that is under way, or was last. */
  private start = new AbortController();
  /** Stopped since it began: they are not started by it any more. */
  private readonly stoppedSince = new Set<string>();
  /** As it was drawn when all of it was last run. */
  private runs: Topology | undefined;
  /** Names of the drawn binaries, as they were last read. */
  private drawn: string[] = [];

  constructor(
    private readonly project: { id: string; name: string; folder: string },
    private readonly context: RunnersContext,
    slot: BuildSlot,
  ) {
    this.build = new ProjectBuild(project, context, slot);
    this.bench = new ProjectBench(project, context, slot, () => this.build.generate(false));
    this.load = new ProjectLoad(project, context, (binary) => this.lives.get(binary)?.connection ?? null);
    this.profile = new ProjectProfile(
      project,
      context,
      () => this.topology(),
      (binary) => this.lives.get(binary)?.schema ?? null,
    );
    this.attached = new ProjectAttached(project.folder, context.patience, (attached) =>
      this.takeAttached(attached),
    );
    this.drawing = new ProjectDrawing(project, context);
    this.logLines = new Batch(100, LOG_LINES_AT_ONCE, (lines, dropped) =>
      context.publish({ type: "logs", project: project.id, lines, dropped }),
    );
    this.book = new LogBook((line) => this.logLines.add(line));
  }

  get name(): string {
    return this.project.name;
  }

  /** True while a process of it lives, or is going to. */
  get isAlive(): boolean {
    return this.tasks.size > 0 || [...this.lives.values()].some((life) => life.isAlive);
  }

  generate(force: boolean): Promise<GenerateAnswer> {
    // Under a compiler nothing is exchanged.
    if (this.build.isRunning)
      throw new Refusal("busy", `${this.name} is being built`, "Wait for it, or cancel it.");
    return this.build.generate(force);
  }

  /** Starts a build and returns; progress goes to the tabs. */
  startBuild(preset: string): void {
    this.refuseWhileStarting();
    this.inBackground(this.build.start(preset).then((ok) => (ok ? this.forgetEnded() : undefined)));
  }

  /** Starts measuring and returns; progress and figures go to the tabs. */
  startBench(service: string | undefined): void {
    this.refuseWhileStarting();
    this.inBackground(this.bench.start(service));
  }

  /** Resolves when no process of it is left; false when nothing was being measured. */
  cancelBench(): Promise<boolean> {
    return this.bench.cancel();
  }

  /** Begins a load and returns; its seconds go to the tabs. */
  startLoad(request: LoadRequest): void {
    this.inBackground(this.load.start(request));
  }

  /** Resolves when the target has its rate back and the report is kept; false when there was no load. */
  cancelLoad(): Promise<boolean> {
    return this.load.cancel();
  }

  cancelBuild(): boolean {
    this.start.abort();
    return this.build.cancel();
  }

  /** Generates and builds what is not up to date, then starts (or replaces) the binaries. */
  startRun(options: { binary?: string; relaxPins: boolean; preset?: string }): void {
    this.refuseWhileStarting();
    const { signal } = (this.start = new AbortController());
    this.stoppedSince.clear();
    const building = this.build.start(PRESET, () => this.obstacles(options.binary));
    const run = async (): Promise<void> => {
      // After a failed build the last good binaries go on as they are.
      if (!(await building) || signal.aborted) return;
      const topology = await this.topology();
      const drawn = await this.binaryNames();
      const names = drawn.filter((name) => options.binary === undefined || name === options.binary);
      if (topology) await this.sayNotHandedOn(topology);
      const replicas = (name: string): number =>
        replicasOf(topology?.binaries.find((one) => one.name === name));
      // One that has another name by now would go on beside the one that took its place.
      const undrawn = [...this.lives.keys()].filter(
        (name) => options.binary === undefined && !drawn.includes(name),
      );
      // What runs calls as it was drawn then, also what has another name now.
      await stopInOrder(this.runs ?? topology, [...undrawn, ...names], async (name) =>
        undrawn.includes(name)
          ? this.lives.get(name)?.stop()
          : this.endFormer(name, replicas(name), options.relaxPins),
      );
      for (const name of undrawn) if (this.lives.get(name)?.notes.length === 0) this.lives.delete(name);
      if (options.binary === undefined) this.runs = topology;
      const groups = topology ? startOrder(topology, names) : [names];
      for (const [at, group] of groups.entries()) {
        await this.settled(groups[at - 1] ?? [], signal);
        if (signal.aborted) return;
        for (const name of group) {
          if (this.stoppedSince.has(name)) continue;
          const binary = topology?.binaries.find((one) => one.name === name);
          await this.startBinary(
            name,
            replicas(name),
            options.relaxPins,
            topology && options.preset ? findPreset(topology, name, options.preset) : undefined,
          );
          if (binary) this.warnOfCertificate(binary);
        }
      }
    };
    this.running = run().finally(() => (this.running = null));
    this.inBackground(this.running);
  }

  /** Why what runs, here or from elsewhere, is not to be ended for what would take its place; where nothing runs, why none would start. */
  private async obstacles(binary: string | undefined): Promise<Problem[]> {
    const here = [...this.lives].flatMap(([name, life]) => (life.isAlive ? [name] : []));
    const elsewhere = (await listRunning(this.project.folder)).map((entry) => entry.binary);
    const asked = (await this.binaryNames()).filter((name) => binary === undefined || name === binary);
    const running = asked.filter((name) => [...here, ...elsewhere].includes(name));
    const { folder } = this.project;
    const env = await this.environment();
    if (running.length === 0) return nothingStarts(asked, folder, env);
    return (await Promise.all(running.map((name) => startObstacles(name, folder, env)))).flat();
  }

  /** What its binaries find in theirs. */
  private async environment(): Promise<NodeJS.ProcessEnv> {
    const isOwn = await this.context.workspace.isOwn(this.project.id);
    return !isOwn && (await sandboxObstacle()) === "" ? fencedEnvironment(process.env) : process.env;
  }

  /** Stops a binary, or all; cancels a start that is still building. Resolves when they are gone. */
  async stop(binary?: string): Promise<string[]> {
    if (binary === undefined && this.running) {
      this.start.abort();
      this.build.cancel();
      await this.running.catch(() => undefined);
    }
    if (binary !== undefined) this.stoppedSince.add(binary);
    const chosen = [...this.lives].flatMap(([name, life]) =>
      life.isAlive && (binary === undefined || name === binary) ? [name] : [],
    );
    const others = await this.othersRunning(binary);
    const elsewhere = others.map((entry) => entry.binary);
    await this.stopAll([...new Set([...chosen, ...elsewhere])], (name) =>
      Promise.all([
        chosen.includes(name) && this.lives.get(name)?.stop(),
        ...others.filter((entry) => entry.binary === name).map((entry) => this.stopOther(entry)),
      ]),
    );
    for (const name of chosen) if (this.runProblems.get(name)?.code === "PS872") this.setProblem(name, null);
    return [...chosen, ...elsewhere];
  }

  private async stopAll(
    names: readonly string[],
    stop: (name: string) => Promise<unknown>,
    hurries?: Promise<unknown>,
  ): Promise<void> {
    const drawn = names.length > 1 ? await this.topology().catch(() => undefined) : undefined;
    await stopInOrder(this.runs ?? drawn, names, stop, hurries);
  }

  /** What the command line started of this project: one process a binary, whoever began it. */
  private async othersRunning(binary: string | undefined): Promise<StartedBinary[]> {
    const mine = new Set(
      [...this.lives.values()].flatMap(({ supervisors }) => supervisors.map(({ status }) => status.pid)),
    );
    return (await listRunning(this.project.folder)).filter(
      (entry) => !mine.has(entry.pid) && (binary === undefined || entry.binary === binary),
    );
  }

  private async stopOther(entry: StartedBinary): Promise<void> {
    await stopRunning(entry, STOP_GRACE_MS * this.context.patience);
    const words = `stopped process ${entry.pid}, which was started elsewhere`;
    this.book.add(nameOfRunning(entry), "penstock", words);
  }

  async command(binary: string, method: CommandMethod, params: Record<string, unknown>): Promise<unknown> {
    return this.ask(binary, "The old setting stays.", (live) => live.command(method, params));
  }

  /** Asks a service of a running binary once. */
  call(binary: string, asked: ServiceCall): Promise<ServiceCallEnd> {
    const graceMs = CALL_GRACE_MS * this.context.patience;
    return this.ask(binary, "Look at its log.", (live) => callService(live, asked, graceMs));
  }

  /** Talks to a running binary; what it refuses is a refusal of ours, `help` where it names none. */
  private async ask<T>(binary: string, help: string, talk: (live: LiveReplicas) => Promise<T>): Promise<T> {
    const live = this.lives.get(binary)?.connection;
    if (!live) throw new Refusal("unavailable", `${binary} is not running`, "Run it first.");
    try {
      return await talk(live);
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      const { data, message } = error;
      if (error.isUnreached)
        throw new Refusal("unavailable", message, "Look at its log; it may have done it all the same.");
      if (!data) throw new Refusal("refused", message, help);
      const refused: Problem = { severity: "error", pointer: "", message, ...data };
      throw new Refusal("refused", message, data.help, [refused]);
    }
  }

  logs(binary?: string): LogLine[] {
    return this.book.lines(binary);
  }

  /** Everything a tab needs that has just opened the project, with the binaries that were drawn at the last look. */
  tellAll(socket: BrowserSocket): void {
    const { id: project } = this.project;
    socket.send({ type: "build", project, status: this.build.status });
    socket.send({ type: "bench", project, status: this.bench.now() });
    socket.send({ type: "load", project, status: this.load.now() });
    socket.send({ type: "binaries", project, binaries: this.statuses() });
    // The newest at once; none is dropped, as a tab asks for all that are kept.
    const lines = this.book.lines().slice(-LOG_LINES_AT_ONCE);
    if (lines.length > 0) socket.send({ type: "logs", project, lines, dropped: 0 });
    for (const [binary, life] of this.lives) {
      const { schema, lastSample, lostSinceMs, history } = life;
      if (schema) socket.send({ type: "live-schema", project, schema });
      if (schema && history.length > 0) {
        const samples = history.map(({ atMs, sample }) => ({ ageMs: Date.now() - atMs, sample }));
        socket.send({ type: "live-history", project, binary, samples });
      }
      if (schema && lastSample) socket.offerSample(project, schema, lastSample);
      if (lostSinceMs !== null) socket.send({ type: "live-lost", project, binary, lastMs: lostSinceMs });
    }
  }

  /** Samples come ten times a second only while somebody looks. */
  setWatched(watched: boolean): void {
    for (const life of this.lives.values()) life.watch(watched || this.load.isLoading);
  }

  /** Resolves when nothing of it writes into the project any more. */
  async close(): Promise<void> {
    this.start.abort();
    await this.drawing.close();
    this.build.cancel();
    await this.bench.cancel();
    await this.load.cancel();
    await this.profile.cancel();
    await this.attached.close();
    await Promise.all(this.tasks);
    // Who ends this server does not wait for long.
    const hurries = setTimeout(CLOSE_IN_ORDER_MS * this.context.patience, undefined, { ref: false });
    await this.stopAll([...this.lives.keys()], async (name) => this.lives.get(name)?.stop(), hurries);
    for (const life of this.lives.values()) life.close();
  }

  /** Makes a process known that something else started. */
  async attach(asked: { address: string; token: string }): ReturnType<ProjectAttached["attach"]> {
    const topology = await this.topology();
    if (!topology)
      throw new Refusal("damaged", "The drawing cannot be read", "Correct it, then attach what runs.");
    return this.attached.attach(topology, asked);
  }

  /** Each binary has what is attached to it, one that was not started here as well. */
  private takeAttached(attached: readonly AttachedBinary[]): void {
    for (const name of new Set([...this.lives.keys(), ...attached.map(({ binary }) => binary)])) {
      const life = this.lives.get(name) ?? BinaryLife.ofAttached(this.context.patience, this.eventsOf(name));
      life.setAttached(attached.filter(({ binary }) => binary === name));
      if (life.isEmpty) {
        life.close();
        this.lives.delete(name);
      } else this.lives.set(name, life);
    }
    this.tellStatuses();
  }

  /** What keeps some clients from asking what runs; what was said of it when it was started before no longer counts. */
  private warnOfCertificate(binary: Binary): void {
    const gap = certificateGap(binary, this.project.folder);
    const said = this.runProblems.get(binary.name);
    const hasFailed = said !== undefined && said.code !== "PS872";
    if (this.lives.get(binary.name)?.isAlive && !hasFailed) this.setProblem(binary.name, gap);
  }

  /** What a binary is started from; null: it is not built. */
  private async originOf(name: string, relaxPins: boolean): Promise<Origin | null> {
    const good = findGoodBinary(this.project.folder, PRESET, name);
    if (!good) return null;
    const env = await this.environment();
    return { projectDir: this.project.folder, binary: name, good, relaxPins, env };
  }

  /** Ends what is to be replaced. All of it before the first is started anew: nothing of before meets what is new. */
  private async endFormer(name: string, replicas: number, relaxPins: boolean): Promise<void> {
    const origin = await this.originOf(name, relaxPins);
    const before = this.lives.get(name);
    if (!origin || (before && (await before.runs(origin, replicas)))) return;
    await before?.stop();
    await Promise.all((await this.othersRunning(name)).map((entry) => this.stopOther(entry)));
  }

  private async startBinary(
    name: string,
    replicas: number,
    relaxPins: boolean,
    preset: Preset | undefined,
  ): Promise<void> {
    const origin = await this.originOf(name, relaxPins);
    if (!origin)
      return this.setProblem(
        name,
        problem("PS878", "", `${name} is not built yet`, { node: `binary:${name}` }),
      );
    const before = this.lives.get(name);
    if (before && (await before.runs(origin, replicas))) {
      this.book.add(name, "penstock", "runs on: nothing that it is made of has changed");
      return before.usePreset(preset);
    }
    if (this.isCalledOff(name)) return;
    // What ran on as it was has crashed since, or is of another build by now.
    await before?.stop();
    const sandbox = await this.sandbox();
    const life = await BinaryLife.start(
      {
        ...{ ...origin, replicas, logs: this.book },
        ...(sandbox ? { sandbox } : {}),
        patience: this.context.patience,
      },
      this.eventsOf(name),
    );
    // Of the life in whose place it comes: that one may have been given others meanwhile.
    const replaced = this.lives.get(name);
    life.setAttached(replaced?.notes ?? []);
    replaced?.close();
    this.lives.set(name, life);
    if (this.isCalledOff(name)) await life.stop();
    else await life.usePreset(preset);
    this.tellStatuses();
  }

  /** By who stopped it, or all, since the start began. */
  private isCalledOff(name: string): boolean {
    return this.start.signal.aborted || this.stoppedSince.has(name);
  }

  /** Resolves when what runs of these is ready, or has ended: who calls them can start. At once after an abort. */
  private async settled(names: readonly string[], signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([
      aborted,
      Promise.all(names.flatMap((name) => this.lives.get(name)?.settled() ?? [])),
    ]);
  }

  /** What the tabs are told of a binary. */
  private eventsOf(name: string): BinaryLifeEvents {
    const { id: project } = this.project;
    return {
      status: () => this.tellStatuses(),
      problem: (reason) => this.setProblem(name, reason),
      schema: (schema) => this.context.publish({ type: "live-schema", project, schema }),
      preset: (words) => this.book.add(name, "penstock", words),
      sample: (schema, sample) => this.context.publishSample(project, schema, sample),
      lost: (lastMs) => this.context.publish({ type: "live-lost", project, binary: name, lastMs }),
    };
  }

  /** Projects that came from elsewhere run in a sandbox too; one's own run as they will anywhere. */
  private async sandbox(): Promise<SandboxOptions | undefined> {
    if (await this.context.workspace.isOwn(this.project.id)) return undefined;
    const obstacle = await sandboxObstacle();
    if (obstacle !== "") {
      this.book.add("", "penstock", `runs without a sandbox: ${obstacle}`, "warning");
      return undefined;
    }
    return binaryFence(this.project.folder);
  }

  private async sayNotHandedOn(topology: Topology): Promise<void> {
    if ((await this.environment()) === process.env) return;
    const read = await this.context.toolchain.variablesRead(this.project.folder, topology);
    const kept = notHandedOn(read);
    if (kept !== null) this.book.add("", "penstock", kept, "warning");
  }

  private async topology(): Promise<Topology | undefined> {
    return (await this.context.workspace.drawn(this.project.id)).topology;
  }

  /** Reads which binaries are drawn now. */
  async binaryNames(): Promise<string[]> {
    this.drawn = (await this.topology())?.binaries.map(({ name }) => name) ?? [];
    return this.drawn;
  }

  /** Drawn binaries in their order, then those that run but are drawn no more. */
  private statuses(): BinaryStatus[] {
    const others = [...this.lives.keys()].filter((name) => !this.drawn.includes(name));
    return [...this.drawn, ...others].map((name) => this.lives.get(name)?.status ?? stopped(name));
  }

  private tellStatuses(): void {
    this.context.publish({ type: "binaries", project: this.project.id, binaries: this.statuses() });
  }

  /** What kept binaries from running that do not run: they are built anew, and whether they run shows the next start. */
  private forgetEnded(): void {
    for (const name of this.runProblems.keys())
      if (!this.lives.get(name)?.isAlive) this.setProblem(name, null);
  }

  /** What keeps a binary from running shows beside the problems of the build. */
  private setProblem(binary: string, reason: Problem | null): void {
    if (reason) this.runProblems.set(binary, reason);
    else if (!this.runProblems.delete(binary)) return;
    this.build.setRunProblems([...this.runProblems.values()]);
  }

  private refuseWhileStarting(): void {
    if (this.running) throw new Refusal("busy", `${this.name} is being started`, "Wait for it, or stop it.");
  }

  private inBackground(task: Promise<void>): void {
    const settled: Promise<void> = task
      .catch((error: unknown) => {
        this.book.add("", "penstock", `could not go on: ${(error as Error).message}`, "error");
        this.context.log(`${this.name}: ${(error as Error).message}`);
      })
      .finally(() => this.tasks.delete(settled));
    this.tasks.add(settled);
  }
}
