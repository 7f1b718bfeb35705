import { problem, type Problem } from "../model/diagnostics/index.js";
import { CommandRefused, type LiveReplicas } from "../live/index.js";
import {
  liveRows,
  loadableFlows,
  type LiveRow,
  rateText,
  type LiveSample,
  type LoadWhole,
} from "../contract/index.js";
import { type DrivenSecond, type LoadDriver, LoadRefused } from "./driver.js";

/** A live connection as far as a load needs it. */
export type FlowLive = Pick<
  LiveReplicas,
  "schema" | "lastSample" | "isOpen" | "command" | "rateOfEach" | "on" | "off"
>;

/** Where a load keeps the rate that it finds in each process of its binary, for who starts one of them anew. */
export interface RateNotes {
  note(flow: string, perSecond: number): Promise<void>;
  forget(flow: string): Promise<void>;
}

/** A second ends with the sample nearest to it: they come every 100 ms. */
const NEAR_MS = 60;
const CONNECT_MS = 5000;
/** A binary that says nothing for this long is gone for the load. */
const GONE_MS = 5_000;
/** Who ends a load waits for so long until a silent binary has its rate back. */
const GIVE_BACK_MS = 5_000;

/**
 * Steers the rate of one flow's source in a running binary and reads what becomes of its events off the
 * live samples. The source keeps the time itself, in the binary; only its rate is set from here.
 */
export class FlowDriver implements LoadDriver {
  private flowId = -1;
  private found = 0;
  /** Of the process that it was found in. */
  private startedAtMs = 0;
  private begun = false;
  private noting: Promise<void> | undefined;
  private ended: Promise<void> | null = null;
  private before: LiveSample | null = null;
  private endsAt = 0;
  private rate: number | null = null;
  /** Asked for last, and in force perhaps. */
  private asked = 0;
  private isLeft = false;
  private stopWaiting: (() => void) | null = null;
  private seconds = 0;
  private readonly all = { sent: 0, completed: 0, failed: 0, maxUs: null as number | null };

  constructor(
    private readonly live: FlowLive,
    private readonly flow: string,
    /** How many times as long as usual the binary is waited for. */
    private readonly patience = 1,
    private readonly notes?: RateNotes,
    /** A binary that was silent at the end has its rate back after all. */
    private readonly onGivenBack?: () => void,
  ) {}

  async begin(): Promise<void> {
    await this.waitFor((sample) => sample !== null, CONNECT_MS);
    const { schema } = this.live;
    if (schema === null || this.live.lastSample === null)
      throw new LoadRefused("PS994", "the binary does not answer", "Look at its log.", "environment");
    const flow = schema.flows.find(({ name }) => name === this.flow);
    const others = loadableFlows(schema);
    if (flow === undefined || !others.includes(this.flow)) {
      throw new LoadRefused(
        "PS884",
        flow === undefined
          ? `${schema.binary} has no flow ${this.flow}`
          : `the source of ${this.flow} makes no events at a rate`,
        others.length === 0
          ? "Load its HTTP address instead: `penstock load http://...`."
          : `Flows whose source has a rate: ${others.join(", ")}.`,
        "usage",
      );
    }
    this.flowId = flow.id;
    this.found = flow.source.perSecond ?? 0;
    this.startedAtMs = schema.startedAtMs;
  }

  async second(rate: number): Promise<DrivenSecond | null> {
    try {
      await this.setRate(rate);
    } catch (error) {
      if (error instanceof CommandRefused && !error.isUnreached && this.before === null)
        throw new LoadRefused(error.data?.code ?? "PS994", error.message, error.data?.help ?? "", "refused");
      return null;
    }
    if (this.before === null) {
      // What was made before the first rate was in force is none of this load.
      this.before = await this.waitFor(() => true, GONE_MS);
      if (this.before === null) return null;
      this.endsAt = this.before.t;
    }
    const { before } = this;
    this.endsAt += 1000;
    const now = await this.waitFor((sample) => (sample?.t ?? 0) >= this.endsAt - NEAR_MS, GONE_MS);
    // A restarted binary counts from zero: its predecessor did not survive the load.
    if (now === null || now.t < before.t) return null;
    this.before = now;
    // After a pause of either side seconds begin anew: time that nobody saw is not made up for.
    if (now.t - this.endsAt > 1000) this.endsAt = now.t;
    return this.counted(this.figures(before, now, rate));
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  whole(): LoadWhole {
    // What it counts is brought to whole seconds.
    return { tookMs: this.seconds * 1000, ...this.all, minUs: null, p50Us: null, p95Us: null, p99Us: null };
  }

  end(): Promise<void> {
    this.stopWaiting?.();
    this.ended ??= (async () => {
      if (!this.begun) return;
      await this.noting;
      if (!(await this.giveBack())) await this.giveBackOnceItAnswers();
    })();
    return this.ended;
  }

  left(): Problem[] {
    if (!this.isLeft) return [];
    const rates = `still runs at ${rateText(this.asked)}/s, not at ${rateText(this.found)}/s as before`;
    return [problem("PS871", "", `${this.flow} ${rates}`)];
  }

  /** False: the binary does not answer just now. */
  private async giveBack(): Promise<boolean> {
    this.isLeft = false;
    // Its processes have ended, or were started anew: those get their rate from what is noted.
    if (!this.live.isOpen || this.live.schema?.startedAtMs !== this.startedAtMs) return true;
    try {
      await this.live.command("source.set", { flow: this.flow, perSecond: this.found });
    } catch (error) {
      this.isLeft = true;
      return !(error instanceof CommandRefused && error.isUnreached);
    }
    // A note that stays is of no harm: it says what the source has.
    await this.notes?.forget(this.flow).catch(() => undefined);
    return true;
  }

  /** As long as its process lives; resolves after a while all the same. */
  private giveBackOnceItAnswers(): Promise<void> {
    const { live } = this;
    return new Promise((resolve) => {
      let isAsking = false;
      const stop = (): void => {
        clearTimeout(timer);
        live.off("found", again);
        live.off("schema", again);
        live.off("refused", gone);
        resolve();
      };
      const again = async (): Promise<void> => {
        if (isAsking) return;
        isAsking = true;
        const isOver = await this.giveBack();
        isAsking = false;
        if (!isOver) return;
        stop();
        this.onGivenBack?.();
      };
      const gone = (): void => {
        this.isLeft = false;
        stop();
        this.onGivenBack?.();
      };
      const timer = setTimeout(resolve, GIVE_BACK_MS * this.patience);
      live.on("found", again);
      live.on("schema", again);
      live.on("refused", gone);
    });
  }

  failures(): { reason: string; count: number }[] {
    return [];
  }

  private async setRate(rate: number): Promise<void> {
    if (this.rate === rate) return;
    this.begun = true;
    // Where it cannot be noted, the load goes on all the same.
    this.noting = this.notes?.note(this.flow, this.live.rateOfEach(this.found)).catch(() => undefined);
    await this.noting;
    if (this.ended !== null) return;
    this.asked = rate;
    await this.live.command("source.set", { flow: this.flow, perSecond: rate });
    this.rate = rate;
  }

  /** The next sample for which `test` holds; null when none came in time, nobody is there, or the load was ended. */
  private waitFor(
    test: (sample: LiveSample | null) => boolean,
    withinMs: number,
  ): Promise<LiveSample | null> {
    const { live } = this;
    if (this.ended !== null) return Promise.resolve(null);
    return new Promise((resolve) => {
      const done = (sample: LiveSample | null): void => {
        clearTimeout(timer);
        live.off("sample", look);
        live.off("refused", end);
        this.stopWaiting = null;
        resolve(sample);
      };
      const look = (sample: LiveSample): void => {
        const restarted = this.before !== null && sample.t < this.before.t;
        if (test(sample) || restarted) done(sample);
      };
      const end = (): void => done(null);
      const timer = setTimeout(end, withinMs * this.patience);
      this.stopWaiting = end;
      live.on("sample", look);
      live.on("refused", end);
    });
  }

  private figures(before: LiveSample, now: LiveSample, rate: number): DrivenSecond {
    const flow = this.rowOf(now);
    const flowBefore = this.rowOf(before);
    const latency = flow?.latency;
    // Samples come a few milliseconds early or late: counts are brought to a whole second.
    const share = 1000 / (now.t - before.t);
    const inSecond = (count: number): number => Math.round(count * share * 10) / 10;
    const since = (cell: "emitted" | "completed" | "failed" | "dropped"): number =>
      (flow?.[cell] ?? 0) - (flowBefore?.[cell] ?? 0);
    const sent = inSecond(since("emitted"));
    return {
      target: rate,
      sent,
      completed: inSecond(since("completed")),
      failed: inSecond(since("failed") + since("dropped")),
      skipped: Math.max(0, rate - sent - 1),
      waiting: flow?.inFlight ?? 0,
      queued: liveRows(now, "pools").reduce((sum, { queued }) => sum + queued, 0),
      p50Us: latency?.p50 ?? null,
      p90Us: latency?.p90 ?? null,
      p99Us: latency?.p99 ?? null,
      maxUs: latency?.max ?? null,
      busy: null,
    };
  }

  private counted(second: DrivenSecond): DrivenSecond {
    const { all } = this;
    this.seconds += 1;
    for (const of of ["sent", "completed", "failed"] as const)
      all[of] = Math.round((all[of] + second[of]) * 10) / 10;
    if (second.maxUs !== null) all.maxUs = Math.max(all.maxUs ?? 0, second.maxUs);
    return second;
  }

  private rowOf(sample: LiveSample): LiveRow<"flows"> | undefined {
    return liveRows(sample, "flows").find(({ id }) => id === this.flowId);
  }
}
