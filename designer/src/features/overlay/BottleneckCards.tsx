import { isOwnPool } from "@penstock/codegen/arrange";
import { Gauge, TrendingUp, X } from "lucide-react";
import { useMemo, useState } from "react";
import { useStore } from "zustand";
import { allowThreads, resizePool } from "../../kernel/run/resizePool.js";
import { contributed } from "../../registry/feature.js";
import { Button, IconButton } from "../../kernel/ui/index.js";
import {
  appliedStore,
  effectOf,
  forgetChange,
  isInForce,
  rememberChange,
  startOf,
  type AppliedChange,
} from "./appliedChanges.js";
import type { Bottleneck } from "../../kernel/live/bottleneck/bottleneck.js";
import { cardKey, registerCard } from "./cardPlaces.js";
import { sliced, useSlice } from "../../kernel/live/hooks.js";
import { liveStore } from "../../kernel/live/liveStore.js";

/** More cards than this hide the drawing; the others have their red ring. */
const MOST_CARDS = 2;

const nameOf = (pool: string): string =>
  isOwnPool(pool) ? `join before ${pool.slice(pool.indexOf(".") + 1)}` : `pool ${pool}`;

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

interface CardProps {
  of: Pick<Bottleneck, "binary" | "pool">;
  bottleneck: Bottleneck | undefined;
  change: AppliedChange | undefined;
  onClose: () => void;
}

/** What holds a pool up and what helps; after the remedy was taken, what it did. */
function Card({ of, bottleneck, change, onClose }: CardProps) {
  const key = cardKey(of);
  return (
    <div
      className="bottleneck-card"
      data-tone={bottleneck ? "bad" : "ok"}
      role={bottleneck ? "alert" : "status"}
      ref={(element) => {
        registerCard(key, element);
        return () => registerCard(key, null);
      }}
    >
      {bottleneck ? (
        <Gauge size={15} color="var(--bad)" aria-hidden />
      ) : (
        <TrendingUp size={15} color="var(--ok)" aria-hidden />
      )}
      <div className="bottleneck-text">
        {bottleneck ? <Trouble bottleneck={bottleneck} /> : null}
        {change ? <Effect change={change} /> : null}
      </div>
      <IconButton label="Hide" size="sm" icon={<X size={13} />} onClick={onClose} />
    </div>
  );
}

function Trouble({ bottleneck }: { bottleneck: Bottleneck }) {
  const { binary, pool, useThreads, threads, services, stages, bounds } = bottleneck;
  const [busy, setBusy] = useState(false);
  const use = async () => {
    if (useThreads === null) return;
    setBusy(true);
    const [atMs, startedAtMs] = [Date.now(), startOf(binary)];
    if (bounds) await allowThreads(binary, pool, { from: bounds.from, to: useThreads });
    else {
      const actual = await resizePool(binary, pool, useThreads);
      if (actual !== undefined)
        rememberChange({ binary, pool, services, stages, from: threads, to: actual, atMs, startedAtMs });
    }
    setBusy(false);
  };
  return (
    <>
      <strong>Bottleneck: {nameOf(pool)}</strong>
      <span>
        {bottleneck.reason} {bottleneck.advice}
      </span>
      {bottleneck.how === "" ? null : <span className="bottleneck-how">{bottleneck.how}</span>}
      <div className="bottleneck-actions">
        {useThreads === null ? null : (
          <Button variant="primary" disabled={busy} onClick={() => void use()}>
            {bounds ? "Allow" : "Use"} {useThreads} threads
          </Button>
        )}
        {contributed("poolActions")
          .flat()
          .map(({ label, perform }) => (
            <Button key={label} variant="ghost" onClick={() => perform(binary, pool)}>
              {label}
            </Button>
          ))}
      </div>
    </>
  );
}

function Effect({ change }: { change: AppliedChange }) {
  const { binary, pool, from, to } = change;
  const [busy, setBusy] = useState(false);
  const effect = useSlice(useMemo(() => sliced(() => effectOf(change)), [change]));
  const undo = async () => {
    setBusy(true);
    if ((await resizePool(binary, pool, from)) !== undefined) forgetChange(change);
    else setBusy(false);
  };
  return (
    <>
      <strong>
        {capital(nameOf(pool))}: {from} → {to} threads
      </strong>
      {effect?.map((part) => <span key={part}>{part}</span>) ?? <span>Looking what it does…</span>}
      <div className="bottleneck-actions">
        <Button disabled={busy} onClick={() => void undo()}>
          Undo, use {from} {from === 1 ? "thread" : "threads"}
        </Button>
      </div>
    </>
  );
}

export function BottleneckCards() {
  const bottlenecks = useStore(liveStore, (state) => state.bottlenecks);
  const applied = useStore(appliedStore, (state) => state.applied);
  const inForce = useSlice(
    useMemo(
      () =>
        sliced(() => {
          const keys = applied.filter((one) => isInForce(one)).map(cardKey);
          // Once the last one has ended no figures come any more, to be read later.
          return keys.length > 0 ? keys : null;
        }),
      [applied],
    ),
  );
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  // A hidden card comes back when its pool has been well in between.
  const current = new Set(bottlenecks.map(cardKey));
  const stillHidden = [...hidden].filter((key) => current.has(key));
  if (stillHidden.length !== hidden.size) setHidden(new Set(stillHidden));
  const changes = applied.filter((one) => inForce?.includes(cardKey(one)));
  const shown = new Map([...bottlenecks, ...changes].map((one) => [cardKey(one), one] as const));
  return [...shown]
    .filter(([key]) => !hidden.has(key))
    .slice(0, MOST_CARDS)
    .map(([key, of]) => (
      <Card
        key={key}
        of={of}
        bottleneck={bottlenecks.find((one) => cardKey(one) === key)}
        change={changes.find((one) => cardKey(one) === key)}
        onClose={() => {
          forgetChange(of);
          if (current.has(key)) setHidden(new Set(hidden).add(key));
        }}
      />
    ));
}
