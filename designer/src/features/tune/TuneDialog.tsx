import { isOwnPool, TUNE_RANGE, type TuneLimits } from "@penstock/codegen/arrange";
import { threadWords } from "@penstock/codegen/contract";
import { CircleAlert, CircleCheck, LoaderCircle, Undo2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { formatMicros, formatRate, words } from "../../kernel/live/figures/format.js";
import { Button, Dialog, Field, NumberField } from "../../kernel/ui/index.js";
import { beforeWords, cancelTune, closeTune, startTune, undoTune } from "./tuneActions.js";
import { TuneCurve } from "./TuneCurve.js";
import { tuneStore, type TunePhase, type TuneState } from "./tuneStore.js";
import "./tune.css";

/** The search for the size of a pool on the running flow: limits, the curve as it grows, what is kept. */
export function TuneDialog() {
  const state = useStore(tuneStore);
  if (!state.target) return null;
  return <Tuning key={`${state.target.binary}/${state.target.pool}`} state={state} />;
}

/** The button that gives up or closes: always there. */
const WAY_OUT = "tune-way-out";

const nameOf = (pool: string): string =>
  isOwnPool(pool) ? `the join before ${pool.slice(pool.indexOf(".") + 1)}` : `pool ${pool}`;

function Tuning({ state }: { state: TuneState }) {
  const { target, phase, points } = state;
  const [limits, setLimits] = useState<TuneLimits>(state.limits);
  const set = (patch: Partial<TuneLimits>) => setLimits((before) => ({ ...before, ...patch }));
  const searching = phase.kind === "searching";
  // A button that had the focus may be gone or switched off now: the keyboard stays within the dialog.
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || (activeElement as HTMLButtonElement | null)?.disabled)
      document.querySelector<HTMLElement>(`.${WAY_OUT}`)?.focus();
  });
  const former = phase.kind === "found" ? beforeWords(phase.before, phase.result.best.threads) : undefined;
  const fault = limits.from >= limits.to ? "The most has to be more than the least." : "";
  return (
    <Dialog
      open
      onOpenChange={closeTune}
      title={`Tune ${nameOf(target?.pool ?? "")}`}
      width={568}
      footer={
        <>
          {searching ? (
            <Button className={WAY_OUT} onClick={cancelTune}>
              Give up
            </Button>
          ) : (
            <Button className={WAY_OUT} onClick={closeTune}>
              {phase.kind === "limits" ? "Cancel" : "Close"}
            </Button>
          )}
          {phase.kind === "found" && !phase.undone && former !== undefined ? (
            <Button icon={<Undo2 size={14} strokeWidth={1.75} />} onClick={() => void undoTune()}>
              Back to {former}
            </Button>
          ) : null}
          <Button
            variant={phase.kind === "found" ? "secondary" : "primary"}
            disabled={searching || fault !== ""}
            onClick={() => void startTune(limits)}
          >
            {phase.kind === "limits" ? "Start" : "Search again"}
          </Button>
        </>
      }
    >
      <div className="tune">
        <div className="tune-limits">
          <Field label="Threads at least">
            <NumberField
              label="Threads at least"
              {...TUNE_RANGE.threads}
              value={limits.from}
              disabled={searching}
              onChange={(from) => set({ from: from ?? limits.from })}
            />
          </Field>
          <Field label="At most">
            <NumberField
              label="Threads at most"
              {...TUNE_RANGE.threads}
              value={limits.to}
              disabled={searching}
              onChange={(to) => set({ to: to ?? limits.to })}
            />
          </Field>
          <Field label="Each for">
            <NumberField
              label="Seconds for each size"
              {...TUNE_RANGE.seconds}
              unit="s"
              value={limits.secondsAStep}
              disabled={searching}
              onChange={(secondsAStep) => set({ secondsAStep: secondsAStep ?? limits.secondsAStep })}
            />
          </Field>
        </div>
        {points.length > 0 || searching ? (
          <TuneCurve points={points} limits={state.limits} phase={phase} />
        ) : (
          <p className="hint">
            Tries sizes within these limits on the running flow, from the largest down, and keeps the fewest
            threads that do as much as any. Nothing is lost meanwhile, and it can be taken back.
          </p>
        )}
        {fault === "" ? null : <p className="tune-words">{fault}</p>}
        <Outcome phase={phase} former={former} />
      </div>
    </Dialog>
  );
}

function Outcome({ phase, former }: { phase: TunePhase; former: string | undefined }) {
  if (phase.kind === "limits") return null;
  if (phase.kind === "searching")
    return (
      <p className="tune-words" role="status">
        <LoaderCircle size={14} className="spin" aria-hidden />
        Trying {threadWords(phase.trying)}; at most {phase.left} {phase.left === 1 ? "step" : "steps"} left.
      </p>
    );
  if (phase.kind === "ended")
    return (
      <p className="tune-words" role="alert">
        <CircleAlert size={14} color="var(--bad)" aria-hidden />
        {phase.reason}
      </p>
    );
  const { best, before } = phase.result;
  const figures = `${words(formatRate(best.perSecond))} with a p99 of ${words(formatMicros(best.p99Us))}`;
  return (
    <p className="tune-words" role="status">
      <CircleCheck size={14} color="var(--ok)" aria-hidden />
      {phase.undone
        ? `Back to ${former}, as before.`
        : best.threads === before
          ? `${threadWords(before)} ${before === 1 ? "is" : "are"} the best already: ${figures}.`
          : `Now ${threadWords(best.threads)}, ${before} before: ${figures}.`}
    </p>
  );
}
