import {
  DEFAULT_POOL,
  isThreadRange,
  MOST_THREADS,
  threadCount,
  type Pool,
} from "@penstock/codegen/topology";
import { useState } from "react";
import { edit, useDocument } from "../../../kernel/document/index.js";
import { addPool, changePool, newPool, resizedPool } from "../../../kernel/document/edits/binaries.js";
import { useHeard, usePoolFigures, useStale } from "../../../kernel/live/hooks.js";
import { fillPressure } from "../../../kernel/live/bottleneck/pressure.js";
import { Field, NumberField } from "../../../kernel/ui/index.js";
import { ApplyForm } from "./ApplyForm.js";
import { ThreadBounds } from "./ThreadBounds.js";
import { applyLive } from "../../../kernel/run/applyCommand.js";
import { Fact } from "../../../kernel/fields/Properties.js";

interface ThreadCountProps {
  binary: string;
  pool: string;
  label: string;
}

/** Threads of a pool, a number or bounds, and Apply; live when the binary runs, with asked and actual beneath. */
export function ThreadCount({ binary, pool, label }: ThreadCountProps) {
  const drawn = useDocument((state) =>
    state.topology.binaries.find((item) => item.name === binary)?.pools.find((item) => item.name === pool),
  );
  return drawn && isThreadRange(drawn.threads) ? (
    <>
      <ThreadBounds binary={binary} pool={pool} drawn={drawn.threads} />
      <PoolQueue binary={binary} pool={pool} />
    </>
  ) : (
    <Count binary={binary} pool={pool} label={label} drawn={drawn} />
  );
}

function Count({ binary, pool, label, drawn }: ThreadCountProps & { drawn: Pool | undefined }) {
  const last = usePoolFigures(binary, pool);
  const figures = useHeard(binary) ? last : null;
  const current = drawn ? threadCount(drawn.threads) : figures?.each;
  const [draft, setDraft] = useState<number>();
  const [busy, setBusy] = useState(false);
  const wanted = draft ?? current;

  const draw = (threads: number) =>
    void edit(`${pool}: ${threads} threads`, (model) =>
      drawn
        ? changePool(model, binary, pool, (item) => resizedPool(item, threads))
        : addPool(model, binary, newPool(pool, threads)),
    );
  const apply = async () => {
    if (wanted === undefined) return;
    setBusy(true);
    if (figures && figures.each !== wanted)
      await applyLive(binary, "pool.resize", { pool, threads: wanted }, () => draw(wanted));
    else draw(wanted);
    setBusy(false);
    setDraft(undefined);
  };
  const differs =
    wanted !== undefined && (wanted !== current || (figures !== null && figures.each !== wanted));
  return (
    <>
      <Field label={label}>
        <ApplyForm differs={differs} busy={busy} onApply={apply}>
          <NumberField
            label={`${label} of pool ${pool}`}
            value={wanted}
            min={1}
            max={MOST_THREADS}
            placeholder={pool === DEFAULT_POOL ? "one per CPU" : ""}
            onChange={setDraft}
          />
        </ApplyForm>
      </Field>
      <PoolNow binary={binary} pool={pool} />
    </>
  );
}

/** Threads and queue of a pool of a running binary; nothing while it does not run. */
export function PoolNow({ binary, pool }: { binary: string; pool: string }) {
  const figures = usePoolFigures(binary, pool);
  if (!figures) return null;
  return (
    <>
      <Fact label="Actual">
        {figures.threads.length} asked · {figures.each} running
        {figures.count > figures.each ? ` in each process` : ""}
      </Fact>
      <PoolQueue binary={binary} pool={pool} />
    </>
  );
}

function PoolQueue({ binary, pool }: { binary: string; pool: string }) {
  const figures = usePoolFigures(binary, pool);
  const stale = useStale(binary);
  if (!figures || figures.queue === 0) return null;
  return (
    <Field label="Queue">
      <QueueBar queued={figures.queued} queue={figures.queue} stale={stale} />
    </Field>
  );
}

/** Fill of a queue: green to 60 %, yellow to 85 %, red above; the figures say the same in words. */
export function QueueBar({ queued, queue, stale }: { queued: number; queue: number; stale: boolean }) {
  const share = Math.min(1, queued / queue);
  const tone = stale ? "var(--text-3)" : `var(--${fillPressure(queued, queue) || "ok"})`;
  return (
    <span
      className="queue-bar"
      data-stale={stale}
      role="img"
      aria-label={`${queued} of ${queue} places taken`}
    >
      <span className="queue-track">
        <span style={{ width: `${share * 100}%`, background: tone }} />
      </span>
      <span className="mono">
        {queued}/{queue}
      </span>
    </span>
  );
}
