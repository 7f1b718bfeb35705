import { MOST_THREADS, type ThreadRange } from "@penstock/codegen/topology";
import { useState } from "react";
import { boundedPool, changePool } from "../../../kernel/document/edits/binaries.js";
import { edit } from "../../../kernel/document/index.js";
import { usePoolFigures } from "../../../kernel/live/hooks.js";
import { drawnName } from "../../../kernel/live/liveStore.js";
import type { PoolFigures } from "../../../kernel/live/figures/figures.js";
import { applyLive } from "../../../kernel/run/applyCommand.js";
import { Button, Field, NumberField } from "../../../kernel/ui/index.js";
import { Fact } from "../../../kernel/fields/Properties.js";
import { ApplyForm } from "./ApplyForm.js";

/** Bounds of a pool whose threads come and go, and Apply; live when the binary runs, with what its controller does. */
export function ThreadBounds({ binary, pool, drawn }: { binary: string; pool: string; drawn: ThreadRange }) {
  const figures = usePoolFigures(binary, pool);
  const [draft, setDraft] = useState<Partial<ThreadRange>>({});
  const [busy, setBusy] = useState(false);
  const wanted: ThreadRange = { from: draft.from ?? drawn.from, to: draft.to ?? drawn.to };
  const differs = wanted.from !== drawn.from || wanted.to !== drawn.to;
  const reversed = wanted.from > wanted.to;
  const apply = async () => {
    if (reversed) return;
    setBusy(true);
    const draw = () =>
      void edit(`${pool}: ${wanted.from} to ${wanted.to} threads`, (model) =>
        changePool(model, binary, pool, (item) => boundedPool(item, wanted)),
      );
    if (figures) await applyLive(binary, "pool.adapt", { pool, adapt: wanted }, draw);
    else draw();
    setBusy(false);
    setDraft({});
  };
  const bound = (key: "from" | "to", label: string) => (
    <NumberField
      label={`${label} threads of pool ${pool}`}
      value={wanted[key]}
      min={1}
      max={MOST_THREADS}
      onChange={(value) => value !== undefined && setDraft({ ...draft, [key]: value })}
    />
  );
  return (
    <>
      <Field label="Bounds">
        <ApplyForm differs={differs && !reversed} busy={busy} onApply={apply}>
          <span className="thread-bounds">
            {bound("from", "Fewest")}
            <span>to</span>
            {bound("to", "Most")}
          </span>
        </ApplyForm>
      </Field>
      {reversed ? (
        <p className="hint" role="alert">
          The most are fewer than the fewest: exchange the two.
        </p>
      ) : null}
      {figures ? <BoundsNow figures={figures} /> : null}
    </>
  );
}

const BY = { drawing: "as drawn", person: "by hand", controller: "by itself" } as const;

/** Who set the threads that a pool has now; where its controller rests, how to wake it. */
export function BoundsNow({ figures }: { figures: PoolFigures }) {
  const [busy, setBusy] = useState(false);
  const { binary, pool, adaptive, count } = figures;
  if (!adaptive) return null;
  const { from, to, on, by, steps } = adaptive;
  const resume = async () => {
    setBusy(true);
    await applyLive(drawnName(binary), "pool.adapt", { pool, adapt: true });
    setBusy(false);
  };
  return (
    <>
      <Fact label="Now">
        {count} of {from} to {to}
        {on && count >= to ? ", the most" : ""}
      </Fact>
      <Fact label="Changed">
        {BY[by]}
        {steps > 0 ? ` · ${steps} ${steps === 1 ? "step" : "steps"}` : ""}
      </Fact>
      {on ? null : (
        <>
          <p className="hint">At rest: its threads stay as they were set by hand.</p>
          <Button size="sm" disabled={busy} onClick={() => void resume()}>
            Let them come and go again
          </Button>
        </>
      )}
    </>
  );
}
