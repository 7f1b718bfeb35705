import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { GoodBinary } from "../../build/index.js";
import type { Problem } from "../../model/diagnostics/index.js";
import { arrange, differenceWords } from "../../model/arrange/index.js";
import { CommandRefused, connectLive, type LiveConnection, lostWithinMs } from "../../live/index.js";
import type { Preset } from "../../model/topology/index.js";
import type { SandboxOptions } from "../../process/index.js";
import type { BinaryState, BinaryStatus, LiveSample, LiveSchema } from "../../contract/index.js";
import { LiveHistory, type KeptSample } from "./liveHistory.js";
import { READY_WITHIN_MS, STOP_GRACE_MS, Supervisor, type LogBook } from "../../run/index.js";

export interface BinaryLifeEvents {
  status(status: BinaryStatus): void;
  problem(problem: Problem | null): void;
  schema(schema: LiveSchema): void;
  sample(schema: LiveSchema, sample: LiveSample): void;
  lost(lastMs: number): void;
  /** What a preset changed in it, or why it was refused, in words. */
  preset(words: string): void;
}

/** Names what a process was started from, to tell whether a build has made something new. */
async function stampOf(good: GoodBinary, relaxPins: boolean): Promise<string> {
  const hash = createHash("sha256").update(String(relaxPins));
  for (const path of [good.executable, good.config]) hash.update(await readFile(path)).update("\0");
  return hash.digest("hex");
}

/** Of a process that is on its way out, or waited for to be started anew. */
const AT_AN_END: ReadonlySet<BinaryState> = new Set(["stopping", "crashed"]);

/** One binary of a project: its supervised process and the live connection to it. */
export class BinaryLife {
  private live: LiveConnection | null = null;
  private readonly past = new LiveHistory();
  private watched = true;
  private preset: Preset | undefined;

  private constructor(
    readonly supervisor: Supervisor,
    private readonly stamp: string,
    private readonly events: BinaryLifeEvents,
    private readonly patience: number,
  ) {
    supervisor.on("status", (status) => events.status(status));
    supervisor.on("problem", (problem) => events.problem(problem));
    supervisor.on("ready", ({ control }) => this.connect(control));
    supervisor.on("exit", () => this.disconnect());
  }

  static async start(
    options: {
      projectDir: string;
      binary: string;
      good: GoodBinary;
      relaxPins: boolean;
      sandbox?: SandboxOptions;
      logs: LogBook;
      /** How many times as long as usual it is waited for. */
      patience: number;
    },
    events: BinaryLifeEvents,
  ): Promise<BinaryLife> {
    const { projectDir, binary, good, relaxPins, sandbox, logs, patience } = options;
    const supervisor = new Supervisor({
      projectDir,
      binary,
      executable: good.executable,
      config: good.config,
      relaxPins,
      logs,
      stopGraceMs: STOP_GRACE_MS * patience,
      readyWithinMs: READY_WITHIN_MS * patience,
      ...(sandbox ? { sandbox } : {}),
    });
    const life = new BinaryLife(supervisor, await stampOf(good, relaxPins), events, patience);
    supervisor.start();
    return life;
  }

  /** True while the process of exactly this build runs. */
  async runs(good: GoodBinary, relaxPins: boolean): Promise<boolean> {
    const { state } = this.supervisor.status;
    return this.isAlive && !AT_AN_END.has(state) && this.stamp === (await stampOf(good, relaxPins));
  }

  /** False when there is no process and none is going to be started. */
  get isAlive(): boolean {
    return !["stopped", "failed"].includes(this.supervisor.status.state);
  }

  /** The connection to the process that runs now. */
  get connection(): LiveConnection | null {
    return this.live;
  }

  get schema(): LiveSchema | null {
    return this.live?.schema ?? null;
  }

  get lastSample(): LiveSample | null {
    return this.live?.lastSample ?? null;
  }

  /** Samples of the last quarter of an hour that are older than `lastSample`. */
  get history(): KeptSample[] {
    return this.past.before(this.lastSample?.t ?? 0);
  }

  /** Wall clock of the last frame when the connection is lost, else null. */
  get lostSinceMs(): number | null {
    return this.live?.isLost ? this.live.lastFrameMs : null;
  }

  /** The pools and joins it has from now on, also whenever it is started anew; undefined: as drawn. */
  async usePreset(preset: Preset | undefined): Promise<void> {
    this.preset = preset;
    if (this.live?.schema) await this.applyPreset(this.live, this.live.schema);
  }

  /** Brings the preset into force; a binary that refuses it is stopped, with the reason. */
  private async applyPreset(live: LiveConnection, schema: LiveSchema): Promise<void> {
    const { preset } = this;
    if (preset === undefined) return;
    try {
      const changed = await arrange(({ method, params }) => live.command(method, params), schema, preset);
      const words = changed.map(differenceWords).join("; ");
      this.events.preset(`${preset.name} is in force${words === "" ? "" : `: ${words}`}`);
    } catch (error) {
      if (!(error instanceof CommandRefused)) {
        // The connection was lost: asked for again with the next one.
        this.events.preset(`${preset.name} is not in force yet: ${(error as Error).message}`);
        live.once("schema", (schema) => void this.applyPreset(live, schema));
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
      await this.supervisor.stop();
    }
  }

  watch(close: boolean): void {
    if (this.watched === close) return;
    this.watched = close;
    this.live?.watch(close);
  }

  stop(): Promise<void> {
    return this.supervisor.stop();
  }

  private connect(control: string): void {
    this.disconnect();
    this.past.clear();
    const address = { control, token: this.supervisor.token };
    const live = connectLive(address, undefined, lostWithinMs(this.patience));
    this.live = live;
    live.watch(this.watched);
    live.once("schema", (schema) => void this.applyPreset(live, schema));
    live.on("schema", (schema) => {
      if (schema.topologyHash !== this.supervisor.status.topologyHash) {
        this.supervisor.setTopologyHash(schema.topologyHash);
      }
      this.events.schema(schema);
    });
    live.on("sample", (sample) => {
      this.past.add(sample, Date.now());
      if (live.schema) this.events.sample(live.schema, sample);
    });
    live.on("lost", ({ lastMs }) => {
      this.supervisor.setResponsive(false);
      this.events.lost(lastMs);
    });
    live.on("found", () => this.supervisor.setResponsive(true));
  }

  private disconnect(): void {
    const { live } = this;
    if (!live) return;
    this.live = null;
    live.removeAllListeners();
    live.close();
    if (!live.isLost) this.events.lost(live.lastFrameMs);
  }
}
