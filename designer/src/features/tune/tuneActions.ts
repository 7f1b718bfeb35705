import {
  boundsWords,
  bringBack,
  drawnWithPoolSize,
  poolBefore,
  readPool,
  tune,
  TUNE_RANGE,
  TuneCancelled,
  type AskBinary,
  type PoolBefore,
  type PoolReading,
  type TuneLimits,
} from "@penstock/codegen/arrange";
import { threadWords } from "@penstock/codegen/contract";
import { changePool } from "../../kernel/document/edits/binaries.js";
import { documentStore, edit, withTopology } from "../../kernel/document/index.js";
import { drawnName, findTrack, trackRunning } from "../../kernel/live/liveStore.js";
import { nextSample } from "../../kernel/live/nextSample.js";
import { ApiFailure } from "../../kernel/server/api.js";
import { shownProject, type ShownProject } from "../../kernel/run/shownProject.js";
import { toast } from "../../kernel/ui/index.js";
import { closedTune, tuneStore } from "./tuneStore.js";

let giveUp = new AbortController();

const sizeOf = (binary: string, pool: string): number =>
  trackRunning(binary)?.schema?.pools.find(({ name }) => name === pool)?.threads.length ?? 0;

/** Opens the search for the size of a pool; limits around the size it has now. */
export function openTune(binary: string, pool: string): void {
  // It runs by that name whatever is renamed meanwhile.
  const runs = findTrack(binary)?.binary ?? binary;
  const now = sizeOf(runs, pool);
  const to = Math.min(TUNE_RANGE.threads.max, Math.max(8, now * 4));
  tuneStore.setState({
    ...closedTune,
    target: { binary: runs, pool },
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
    const sample = trackRunning(binary) ? await nextSample(binary) : null;
    const schema = trackRunning(binary)?.schema;
    if (sample === null || !schema) throw new TuneCancelled(`${name} has stopped`);
    const reading = readPool(schema, sample, pool);
    if (reading) return reading;
  }
}

const draw = (binary: string, pool: string, threads: number, label: string): void =>
  void edit(label, (model) =>
    withTopology(model, drawnWithPoolSize(model.topology, drawnName(binary), pool, threads)),
  );

const askOf =
  ({ send }: ShownProject, binary: string): AskBinary =>
  ({ method, params }) =>
    send(drawnName(binary), method, params as never);

/** What there is to go back to: `4 threads`, or what rests though the size is the same; undefined: nothing. */
export function beforeWords({ bounds, threads, rules }: PoolBefore, best: number): string | undefined {
  if (bounds !== null) return boundsWords(bounds);
  if (threads !== best) return threadWords(threads);
  return rules.length > 0 ? `the rule of ${rules.join(", ")}` : undefined;
}

/** Searches, keeps the best in what runs and draws it as one step. */
export async function startTune(limits: TuneLimits): Promise<void> {
  const { target } = tuneStore.getState();
  if (!target) return;
  const { binary, pool } = target;
  const name = drawnName(binary);
  const schema = trackRunning(binary)?.schema;
  if (!schema) return tuneStore.setState({ phase: { kind: "ended", reason: `${name} has stopped.` } });
  const project = shownProject();
  giveUp = new AbortController();
  const { signal } = giveUp;
  const { topology } = documentStore.getState();
  const before = poolBefore(schema, pool, topology, name);
  const drawn = topology.binaries
    .find((one) => one.name === name)
    ?.pools.find((one) => one.name === pool)?.threads;
  const ask = askOf(project, binary);
  let back = "";
  tuneStore.setState({ limits, points: [] });
  try {
    const result = await tune(
      {
        binary: name,
        resize: (threads) => ask({ method: "pool.resize", params: { pool, threads } }),
        restore: async () => {
          const { isAsBefore, words } = await bringBack(ask, before);
          back = words;
          // Who has closed it is told that as well.
          if (!isAsBefore && tuneStore.getState().target !== target) toast(words, { tone: "bad" });
        },
        next: () => nextReading(binary, pool),
      },
      limits,
      {
        before: before.threads,
        signal,
        onStep: (trying, points, left) =>
          tuneStore.setState({ phase: { kind: "searching", trying, left }, points: [...points] }),
      },
    );
    const { threads } = result.best;
    project.draw(() => draw(binary, pool, threads, `Tune ${pool}: ${threads} threads`));
    tuneStore.setState({
      phase: { kind: "found", result, before, drawn, undone: false },
      points: result.points,
    });
  } catch (error) {
    if (!(error instanceof TuneCancelled) && !(error instanceof ApiFailure)) throw error;
    if (tuneStore.getState().target !== target) return;
    const why = signal.aborted ? "Given up." : `${error.message}.`;
    tuneStore.setState({ phase: { kind: "ended", reason: `${why} ${back}.` } });
  }
}

/** Goes back to how the pool was before the search, in what runs and in the drawing. */
export async function undoTune(): Promise<void> {
  const { target, phase } = tuneStore.getState();
  if (!target || phase.kind !== "found") return;
  const { binary, pool } = target;
  const { before, drawn, result } = phase;
  const former = beforeWords(before, result.best.threads);
  if (former === undefined) return;
  const project = shownProject();
  const { isAsBefore, words } = await bringBack(askOf(project, binary), before);
  if (!isAsBefore) {
    tuneStore.setState({ phase: { kind: "ended", reason: `${words}.` } });
    return;
  }
  const label = `Undo tuning of ${pool}: ${former}`;
  project.draw(() => {
    if (drawn === undefined) draw(binary, pool, before.threads, label);
    else
      edit(label, (model) =>
        changePool(model, drawnName(binary), pool, (one) =>
          one.threads === drawn ? one : { ...one, threads: drawn },
        ),
      );
  });
  tuneStore.setState({ phase: { ...phase, undone: true } });
}
