import {
  isThreadRange,
  MOST_THREADS,
  threadCount,
  threadList,
  type Pool,
  type ThreadRange,
} from "@penstock/codegen/topology";
import { boundedPool, changePool, resizedPool } from "../../../kernel/document/edits/binaries.js";
import { edit } from "../../../kernel/document/index.js";
import { useHeard, usePoolFigures } from "../../../kernel/live/hooks.js";
import { applyLive } from "../../../kernel/run/applyCommand.js";
import { Checkbox } from "../../../kernel/ui/index.js";

/** From what there is to four times that. */
const roomFor = (threads: number): ThreadRange => ({
  from: threads,
  to: Math.min(MOST_THREADS, Math.max(threads * 4, threads + 1)),
});

/** Whether the threads of a pool stay, or come and go with its work; live when the binary runs. */
export function ComeAndGo({ binary, pool }: { binary: string; pool: Pool }) {
  const last = usePoolFigures(binary, pool.name);
  const figures = useHeard(binary) ? last : null;
  const { name, threads } = pool;
  const pinned = threadList(threads).some(({ cpus = [] }) => cpus.length > 0);
  const draw = (label: string, change: (pool: Pool) => Pool) =>
    void edit(label, (model) => changePool(model, binary, name, change));
  const bound = async () => {
    const bounds = roomFor(Math.max(1, threadCount(threads)));
    const drawBounds = () =>
      draw(`${name}: ${bounds.from} to ${bounds.to} threads`, (item) => boundedPool(item, bounds));
    if (figures) await applyLive(binary, "pool.adapt", { pool: name, adapt: bounds }, drawBounds);
    else drawBounds();
  };
  const settle = async () => {
    const count = figures?.each ?? threadCount(threads);
    const drawCount = () => draw(`${name}: ${count} threads`, (item) => resizedPool(item, count));
    if (figures?.adaptive) await applyLive(binary, "pool.adapt", { pool: name, adapt: false }, drawCount);
    else drawCount();
  };
  return (
    <>
      <Checkbox
        label="Threads come and go with the work"
        checked={isThreadRange(threads)}
        disabled={pinned}
        onChange={(on) => void (on ? bound() : settle())}
      />
      {pinned ? <p className="hint">Pinned threads stay: take the pins out first.</p> : null}
    </>
  );
}
