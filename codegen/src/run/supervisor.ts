import { EventEmitter } from "node:events";
import { randomBytes } from "node:crypto";
import { problem, type Problem } from "../model/diagnostics/index.js";
import { exitCause, type Exit, type SandboxOptions } from "../process/index.js";
import type { BinaryState, BinaryStatus, LogLine } from "../contract/index.js";
import { httpOf, isHttps } from "../model/topology/index.js";
import { readConfiguration } from "./start/binaryConfiguration.js";
import { BinaryProcess, MOST_PROCESSES } from "./binaryProcess.js";
import { configRefusal, EXIT_CONFIG } from "./start/configRefusal.js";
import { LogBook } from "./output/logBook.js";
import {
  processName,
  registerBinary,
  takeFound,
  unregisterBinary,
  type FoundRates,
} from "./running/registry.js";
import type { Ready } from "./output/readyLine.js";
import { CRASH_LIMIT, CRASH_WINDOW_MS, RestartPolicy } from "./restartPolicy.js";
import { keysFolder } from "./start/keysFolder.js";
import { runFolder } from "./start/runFolder.js";

/** EX_TEMPFAIL: it was asked to stop, and gave up what had not finished in time. */
const EXIT_NOT_DRAINED = 75;

export interface SupervisorOptions {
  /** Real path of the project's folder. */
  projectDir: string;
  binary: string;
  /** Which of its processes it is, from 1. */
  replica?: number;
  executable: string;
  /** Configuration file; left out: the one compiled in. */
  config?: string;
  relaxPins?: boolean;
  /** Control token of the binary; left out: PENSTOCK_CONTROL_TOKEN of our environment, or a fresh one. */
  token?: string;
  /** The binary lives on when this process ends; it is started once and not watched after that. */
  detached?: boolean;
  sandbox?: SandboxOptions;
  logs?: LogBook;
  stopGraceMs?: number;
  readyWithinMs?: number;
  policy?: RestartPolicy;
}

interface SupervisorEvents {
  status: [BinaryStatus];
  ready: [Ready];
  /** `found`: the rates that a load had found in it and could not give back. */
  exit: [Exit & { restarts: number; found: FoundRates }];
  /** Why it failed for good; null when it was started anew. */
  problem: [Problem | null];
}

/** From SIGTERM to SIGKILL. */
export const STOP_GRACE_MS = 5_000;
export const READY_WITHIN_MS = 60_000;

const SETTLED: ReadonlySet<BinaryState> = new Set(["running", "unresponsive", "stopped", "failed"]);

/**
 * Keeps one process of a binary running: starts it, waits for its ready line, starts it again after a crash
 * (not after the third in 30 s, and not after a refused configuration), stops it gently.
 */
export class Supervisor extends EventEmitter<SupervisorEvents> {
  readonly token: string;
  /** What its process is called. */
  readonly name: string;
  readonly logs: LogBook;
  private process: BinaryProcess | null = null;
  private ready: Ready | null = null;
  /** As the configuration says that its process was started with. */
  private isHttps = false;
  private state: BinaryState = "stopped";
  private detail = "";
  private startedAtMs: number | null = null;
  private restarts = 0;
  private topologyHash: string | null = null;
  /** Whether the command line was told of the process that is ready. */
  private noted: Promise<boolean> = Promise.resolve(false);
  /** By a load, in the process that ended last. */
  private found: FoundRates = {};
  private stopping = false;
  private wake: (() => void) | null = null;
  private loop: Promise<void> | null = null;
  private readonly policy: RestartPolicy;

  constructor(private readonly options: SupervisorOptions) {
    super();
    this.name = processName(options.binary, options.replica ?? 1);
    // Who knows the one that was named could ask what else has it.
    const named = options.sandbox ? undefined : process.env["PENSTOCK_CONTROL_TOKEN"];
    this.token = options.token ?? named ?? randomBytes(32).toString("base64url");
    this.logs = options.logs ?? new LogBook();
    this.policy = options.policy ?? new RestartPolicy();
  }

  get status(): BinaryStatus {
    return {
      binary: this.options.binary,
      state: this.state,
      detail: this.detail,
      pid: this.process?.pid ?? null,
      control: this.ready?.control ?? null,
      http: this.ready?.http ?? null,
      ...(this.ready && this.isHttps ? { tls: true } : {}),
      startedAtMs: this.startedAtMs,
      restarts: this.restarts,
      topologyHash: this.topologyHash,
    };
  }

  /** The file that the output of a detached process goes to, while it runs. */
  get log(): string | null {
    return this.process?.log ?? null;
  }

  /** Starts it and returns at once; everything else comes as events. Does nothing while it runs. */
  start(): void {
    this.stopping = false;
    this.loop ??= this.keepRunning().finally(() => (this.loop = null));
  }

  /** Resolves when its process is ready, or has ended for good. */
  settled(): Promise<void> {
    if (SETTLED.has(this.state)) return Promise.resolve();
    return new Promise((resolve) => {
      const look = ({ state }: BinaryStatus): void => {
        if (!SETTLED.has(state)) return;
        this.off("status", look);
        resolve();
      };
      this.on("status", look);
    });
  }

  /** Resolves when it has ended and is not started again. */
  async ended(): Promise<void> {
    await this.loop;
  }

  /** SIGTERM, then SIGKILL after 5 s; also ends a wait for a restart. */
  async stop(): Promise<void> {
    if (!this.loop) return;
    this.stopping = true;
    this.wake?.();
    if (this.process) {
      this.set("stopping", "");
      await this.process.stop(this.options.stopGraceMs ?? STOP_GRACE_MS);
    }
    await this.loop;
  }

  /** Whether frames of its control connection come in time; said by who holds that connection. */
  setResponsive(responsive: boolean): void {
    if (!responsive && this.state === "running") this.set("unresponsive", "no answer for more than 2 s");
    else if (responsive && this.state === "unresponsive") this.set("running", "");
  }

  setTopologyHash(hash: string): void {
    this.topologyHash = hash;
    this.emit("status", this.status);
  }

  /** Lets go of a detached binary that is ready: it lives on, we no longer follow it. */
  release(): void {
    this.removeAllListeners();
  }

  private set(state: BinaryState, detail: string): void {
    this.state = state;
    this.detail = detail;
    this.emit("status", this.status);
  }

  private note(text: string, severity?: LogLine["severity"]): void {
    this.logs.add(this.name, "penstock", text, severity);
  }

  private async keepRunning(): Promise<void> {
    this.restarts = 0;
    this.emit("problem", null);
    for (let again = ""; ;) {
      const exit = await this.runOnce(again);
      if (exit === null) return;
      const outcome = this.judge(exit);
      if (outcome === null) return;
      await this.pause(outcome.waitMs);
      if (this.stopping) return this.set("stopped", "");
      this.restarts++;
      again = outcome.cause;
    }
  }

  /** One life of the process; null when it could not even be started. */
  private async runOnce(again: string): Promise<Exit | null> {
    const { executable, config, relaxPins, detached = false, sandbox, projectDir } = this.options;
    const { name } = this;
    this.ready = null;
    this.topologyHash = null;
    this.noted = Promise.resolve(false);
    this.startedAtMs = Date.now();
    this.set(again === "" ? "starting" : "restarting", again === "" ? "" : `after crashed (${again})`);
    const args = [
      ...(config === undefined ? [] : ["--config", config]),
      ...(relaxPins ? ["--relax-pins"] : []),
    ];
    const configuration = config === undefined ? undefined : await readConfiguration(config);
    this.isHttps = isHttps(httpOf(configuration ?? {}) ?? {});
    try {
      this.process = await BinaryProcess.start({
        binary: this.options.binary,
        name,
        executable,
        args,
        cwd: projectDir,
        token: this.token,
        runFolder: runFolder(projectDir),
        keysFolder: keysFolder(projectDir),
        detached,
        ...(sandbox ? { sandbox } : {}),
        onLine: (stream, text) => this.logs.add(name, stream, text),
        onReady: (ready) =>
          void this.becomeReady(ready, again).catch((error: unknown) =>
            this.note(`cannot be watched: ${(error as Error).message}`, "warning"),
          ),
      });
    } catch (error) {
      this.fail(problem("PS879", "", `${name} cannot be started: ${(error as Error).message}`, this.node()));
      return null;
    }
    if (this.stopping) void this.process.stop(this.options.stopGraceMs ?? STOP_GRACE_MS);
    this.emit("status", this.status);
    const { process: running } = this;
    let late = false;
    const timer = setTimeout(() => {
      if (this.ready) return;
      late = true;
      running.kill();
    }, this.options.readyWithinMs ?? READY_WITHIN_MS);
    const exit = await running.exited;
    clearTimeout(timer);
    // `penstock stop` said so first: this end was asked for, whatever it looks like.
    if ((await this.noted) && (await unregisterBinary(projectDir, name, running.pid).catch(() => false)))
      this.stopping = true;
    this.found = await takeFound(projectDir, name, running.pid).catch(() => ({}));
    this.process = null;
    this.ready = null;
    if (late && !this.stopping) {
      this.fail(problem("PS880", "", `${name} did not become ready in time`, this.node()));
      return null;
    }
    if (running.processesWhenKilled !== null && !this.stopping) {
      this.emit("exit", { ...exit, restarts: this.restarts, found: this.found });
      const words = `process limit: ${running.processesWhenKilled} processes, more than ${MOST_PROCESSES}`;
      this.fail(problem("PS888", "", `${name} met the ${words}`, this.node()), words);
      return null;
    }
    return exit;
  }

  private async becomeReady(ready: Ready, again: string): Promise<void> {
    const { binary, replica = 1, projectDir, detached = false } = this.options;
    const group = this.process?.groupId ?? ready.pid;
    this.ready = ready;
    const http = ready.http === null ? "" : `, HTTP address ${ready.http}`;
    this.note(`ready, control address ${ready.control}${http}`);
    this.noted = registerBinary({
      project: projectDir,
      binary,
      replica,
      pid: ready.pid,
      group,
      control: ready.control,
      http: ready.http,
      token: this.token,
      detached,
      startedAtMs: this.startedAtMs ?? Date.now(),
    }).then(
      () => true,
      (error: unknown) => {
        this.note(`not noted for the command line: ${(error as Error).message}`, "warning");
        return false;
      },
    );
    await this.noted;
    if (this.ready !== ready) return;
    if (!this.stopping) this.set("running", again === "" ? "" : `restarted after crashed (${again})`);
    this.emit("ready", ready);
  }

  /** What follows from an end: null when that was it, else how long to wait before the next start. */
  private judge(exit: Exit): { waitMs: number; cause: string } | null {
    const { name } = this;
    const cause = exitCause(exit);
    this.emit("exit", { ...exit, restarts: this.restarts, found: this.found });
    if (this.stopping || exit.code === 0 || exit.code === EXIT_NOT_DRAINED) {
      const killed = this.stopping && exit.signal === "SIGKILL";
      const late = exit.code === EXIT_NOT_DRAINED ? "stopped before everything had finished" : "";
      const detail = killed ? "killed, as it did not stop by itself" : late;
      if (detail === "") this.note(`stopped (${cause})`);
      else this.note(detail, "warning");
      this.set("stopped", detail);
      return null;
    }
    if (exit.code === EXIT_CONFIG) {
      this.fail(configRefusal(name, this.options.binary, this.logs.lastErrors(name, 5)));
      return null;
    }
    this.note(`crashed (${cause})`, "error");
    this.set("crashed", `crashed (${cause})`);
    const waitMs = this.policy.crashed();
    if (waitMs !== null) return { waitMs, cause };
    const summary = `failed: ${CRASH_LIMIT} crashes in ${CRASH_WINDOW_MS / 1000} s (last: ${cause})`;
    this.fail(problem("PS877", "", `${name} ${summary}`, this.node()), summary);
    return null;
  }

  private fail(reason: Problem, detail = reason.message): void {
    this.note(detail, "error");
    this.set("failed", detail);
    this.emit("problem", reason);
  }

  private node(): { node: string } {
    return { node: `binary:${this.options.binary}` };
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise<void>((resolve) => {
      if (this.stopping) return resolve();
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    }).then(() => {
      this.wake = null;
    });
  }
}
