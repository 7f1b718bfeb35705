import {
  drawnWithPoolSize,
  readPool,
  tune,
  TUNE_RANGE,
  TuneCancelled,
  type PoolReading,
  type TuneLimits,
} from "@penstock/codegen/arrange";
import { edit, withTopology } from "../../kernel/document/index.js";
import { drawnName, findTrack } from "../../kernel/live/liveStore.js";
import { nextSample } from "../../kernel/live/nextSample.js";
import { ApiFailure } from "../../kernel/server/api.js";
import { projectStore } from "../../kernel/server/projectState.js";
import { sendCommand } from "../../kernel/connection/commands.js";
import { closedTune, tuneStore } from "./tuneStore.js";

let giveUp = new AbortController();

const sizeOf = (binary: string, pool: string): number =>
  findTrack(binary)?.schema?.pools.find(({ name }) => name === pool)?.threads.length ?? 0;

/** Opens the search for the size of a pool; limits around the size it has now. */
export function openTune(binary: string, pool: string): void {
  const now = sizeOf(binary, pool);
  const to = Math.min(TUNE_RANGE.threads.max, Math.max(8, now * 4));
  tuneStore.setState({
    ...closedTune,
    // It runs by that name whatever is renamed meanwhile.
    target: { binary: findTrack(binary)?.binary ?? binary, pool },
    limits: { from: 1, to, secondsAStep: closedTune.limits.secondsAStep },
  });
}

/** Closes it; a search that goes on is given up, which leaves the pool as it was. */
export function closeTune(): void {
  giveUp.abort();
  tuneStore.setState(closedTune);
}

/** Gives the search up and leaves the pool as it was. */
export const cancelTune = (): void => giveUp.abort();

async function nextReading(binary: string, pool: string): Promise<PoolReading> {
  for (;;) {
    const name = drawnName(binary);
    // A binary that is gone already sends nobody a word.
    const sample = findTrack(binary) ? await nextSample(binary) : null;
    const schema = findTrack(binary)?.schema;
    if (sample === null || !schema) throw new TuneCancelled(`${name} has stopped`);
    const reading = readPool(schema, sample, pool);
    if (reading) return reading;
  }
}

const draw = (binary: string, pool: string, threads: number, label: string): void =>
  void edit(label, (model) =>
    withTopology(model, drawnWithPoolSize(model.topology, drawnName(binary), pool, threads)),
  );

/** Searches, keeps the best in what runs and draws it as one step. */
export async function startTune(limits: TuneLimits): Promise<void> {
  const { target } = tuneStore.getState();
  if (!target) return;
  const { binary, pool } = target;
  // What is opened meanwhile may have a pool of the same name.
  const { project } = projectStore.getState();
  giveUp = new AbortController();
  const { signal } = giveUp;
  const before = sizeOf(binary, pool);
  tuneStore.setState({ limits, points: [] });
  try {
    const result = await tune(
      {
        binary: drawnName(binary),
        resize: (threads) => sendCommand(binary, "pool.resize", { pool, threads }, project),
        next: () => nextReading(binary, pool),
      },
      limits,
      {
        before,
        signal,
        onStep: (trying, points, left) =>
          tuneStore.setState({ phase: { kind: "searching", trying, left }, points: [...points] }),
      },
    );
    const { threads } = result.best;
    draw(binary, pool, threads, `Tune ${pool}: ${threads} threads`);
    tuneStore.setState({ phase: { kind: "found", result, undone: false }, points: result.points });
  } catch (error) {
    if (!(error instanceof TuneCancelled) && !(error instanceof ApiFailure)) throw error;
    if (tuneStore.getState().target !== target) return;
    const why = signal.aborted ? "Given up." : `${error.message}.`;
    tuneStore.setState({ phase: { kind: "ended", reason: `${why} ${pool} is as it was.` } });
  }
}

/** Goes back to the size before the search, in what runs and in the drawing. */
export async function undoTune(): Promise<void> {
  const { target, phase } = tuneStore.getState();
  if (!target || phase.kind !== "found") return;
  const { binary, pool } = target;
  const { before } = phase.result;
  try {
    await sendCommand(binary, "pool.resize", { pool, threads: before });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    tuneStore.setState({ phase: { kind: "ended", reason: `Not undone: ${error.message}.` } });
    return;
  }
  draw(binary, pool, before, `Undo tuning of ${pool}: ${before} threads`);
  tuneStore.setState({ phase: { ...phase, undone: true } });
}
