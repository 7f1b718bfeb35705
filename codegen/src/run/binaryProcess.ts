import { constants } from "node:fs";
import { access } from "node:fs/promises";
import type { Readable } from "node:stream";
import {
  fencedEnvironment,
  groupOf,
  LineReader,
  processOfGroup,
  sandboxed,
  signalProcess,
  spawnGroup,
  tasksOfUser,
  unwrapExit,
  enforceProcessLimit,
  withLimits,
  type Exit,
  type ProcessGroup,
  type SandboxOptions,
} from "../process/index.js";
import type { LogLine } from "../contract/index.js";
import { openDetachedOutput, type DetachedOutput } from "./output/detachedOutput.js";
import { OutputLimiter } from "./output/outputLimiter.js";
import { readReadyLine, type Ready } from "./output/readyLine.js";

/** Processes that a binary may have at once, those that its handlers start included. */
export const MOST_PROCESSES = 256;
/** Threads and processes that its user may have beside those there are when it starts. */
const MOST_TASKS = 4096;

export interface ProcessOptions {
  binary: string;
  /** What this process of it is called. */
  name: string;
  executable: string;
  args: string[];
  cwd: string;
  token: string;
  /** Where it finds the other binaries of its project, and they find it. */
  runFolder: string;
  /** Where its keys are. */
  keysFolder: string;
  /** Given: the program runs in a sandbox. */
  sandbox?: SandboxOptions;
  /** Lives on when this process ends. */
  detached: boolean;
  onLine(stream: LogLine["stream"], text: string): void;
  onReady(ready: Ready): void;
}

/** One started process of a binary: its output as lines, its ready line, its end. */
export class BinaryProcess {
  readonly exited: Promise<Exit>;
  /** How many processes it had when it was killed for having too many. */
  processesWhenKilled: number | null = null;
  /** The binary itself; in a sandbox that is another process than the group's leader. */
  private programPid: number;
  private isReady = false;

  private constructor(
    private readonly group: ProcessGroup,
    private readonly options: ProcessOptions,
    private readonly detached: DetachedOutput | null,
  ) {
    this.programPid = group.pid;
    const ended = detached ? this.followFile(detached) : this.followPipes();
    const alone = options.detached
      ? null
      : enforceProcessLimit(group, MOST_PROCESSES, (count) => (this.processesWhenKilled = count));
    this.exited = group.exited.then(async (exit) => {
      alone?.();
      await ended();
      return unwrapExit(exit, options.sandbox !== undefined);
    });
  }

  /** Starts it; rejects when the system cannot. */
  static async start(options: ProcessOptions): Promise<BinaryProcess> {
    // Programs in front of it (limits, sandbox) would report this as an exit code of their own.
    await access(options.executable, constants.X_OK);
    const command = [options.executable, ...options.args];
    const inside = options.sandbox
      ? sandboxed(command, { ...options.sandbox, outlives: options.detached })
      : command;
    const [program = "", ...args] = withLimits(inside, { processes: tasksOfUser() + MOST_TASKS });
    const detached = options.detached ? await openDetachedOutput(options.name) : null;
    const sink = detached?.logger.stdin ?? "pipe";
    const group = await spawnGroup(program, args, {
      cwd: options.cwd,
      env: {
        ...(options.sandbox ? fencedEnvironment(process.env) : process.env),
        PENSTOCK_CONTROL_TOKEN: options.token,
        PENSTOCK_RUN: options.runFolder,
        PENSTOCK_KEYS: options.keysFolder,
      },
      stdio: ["ignore", sink, sink],
      outlives: options.detached,
    });
    if (detached) {
      // Only the binary writes there from now on: its end is the logger's end.
      detached.logger.stdin?.destroy();
      group.child.unref();
    }
    return new BinaryProcess(group, options, detached);
  }

  get pid(): number {
    return this.programPid;
  }

  get groupId(): number {
    return this.group.pid;
  }

  /** The file that a detached binary's output goes to. */
  get log(): string | null {
    return this.detached?.path ?? null;
  }

  /** SIGTERM to the binary, and SIGKILL to everything it started after `graceMs`. */
  async stop(graceMs: number): Promise<Exit> {
    if (this.programPid === this.group.pid) await this.group.terminate(graceMs);
    else {
      // The sandbox's own process would take the binary down at once, without its drain. What the program named as
      // itself may have ended, and its number be another's by now.
      if (groupOf(this.programPid) === this.group.pid) signalProcess(this.programPid, "SIGTERM");
      const timer = setTimeout(() => this.group.signal("SIGKILL"), graceMs);
      await this.group.exited;
      clearTimeout(timer);
    }
    return this.exited;
  }

  kill(): void {
    this.group.signal("SIGKILL");
  }

  private take(stream: "stdout" | "stderr", line: string): void {
    const ready = stream === "stdout" && !this.isReady ? readReadyLine(line, this.options.binary) : null;
    if (!ready) return this.options.onLine(stream, line);
    // The pid is the program's own word, and behind a fence its own count: believed for a process of its group only.
    // Once: looking for it costs more than the line.
    this.isReady = true;
    this.programPid = processOfGroup(this.group.pid, ready.pid) ?? this.programPid;
    this.options.onReady({ ...ready, pid: this.programPid });
  }

  private followPipes(): () => Promise<void> {
    const { stdout, stderr } = this.group.child;
    const ends = [this.followPipe(stdout, "stdout"), this.followPipe(stderr, "stderr")];
    return () => Promise.resolve(ends.forEach((end) => end()));
  }

  private followPipe(stream: Readable | null, name: "stdout" | "stderr"): () => void {
    const reader = new LineReader((line) => this.take(name, line));
    const gate = new OutputLimiter((chunk, lost) => {
      if (lost > 0) {
        // The line before the gap has no other end.
        reader.end();
        this.options.onLine("penstock", `... ${lost} bytes of output left out ...`);
      }
      reader.push(chunk);
    });
    stream?.on("data", (chunk: Buffer) => gate.push(chunk));
    return () => {
      gate.end();
      reader.end();
    };
  }

  /** A detached binary's lines come from its file, until it is ready; then it is on its own. */
  private followFile(output: DetachedOutput): () => Promise<void> {
    const reader = new LineReader((line) => this.take("stdout", line));
    const take = (chunk: Buffer): void => reader.push(chunk);
    let reading: Promise<void> | null = null;
    const look = (): void => {
      reading ??= output.readOn(take).finally(() => (reading = null));
    };
    const timer = setInterval(look, 50);
    return async () => {
      clearInterval(timer);
      await reading;
      await output.readToEnd(take);
      reader.end();
    };
  }
}
