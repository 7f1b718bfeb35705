import { isOwnPool } from "@penstock/codegen/arrange";
import { DEFAULT_POOL, threadName } from "@penstock/codegen/topology";
import { Gauge, TrendingUp, X } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useStore } from "zustand";
import { useDocument } from "../../kernel/document/index.js";
import { placeService } from "../../kernel/run/placeService.js";
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
import { cardKey, registerCard, type CardOf } from "./cardPlaces.js";
import { FarActions } from "./FarActions.js";
import { sliced, useSlice, useUnheard } from "../../kernel/live/hooks.js";
import { drawnName, findTrack, liveStore } from "../../kernel/live/liveStore.js";

/** More cards than this hide the drawing; the others have their red ring. */
const MOST_CARDS = 2;

function nameOf({ pool, thread, link }: Pick<Bottleneck, "pool" | "thread" | "link">): string {
  if (link !== undefined) return `calls to ${link}`;
  if (thread !== undefined) return `thread ${threadName(pool, thread)}`;
  return isOwnPool(pool) ? `join before ${pool.slice(pool.indexOf(".") + 1)}` : `pool ${pool}`;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

interface CardProps {
  of: CardOf;
  bottleneck: Bottleneck | undefined;
  change: AppliedChange | undefined;
  onClose: () => void;
}

/** What holds a pool up and what helps; after the remedy was taken, what it did. */
function Card({ of, bottleneck, change, onClose }: CardProps) {
  const key = cardKey(of);
  // The same one at each figure: a card that is registered anew has no place to stay at.
  const register = useCallback(
    (element: HTMLElement | null) => {
      registerCard(key, element);
      return () => registerCard(key, null);
    },
    [key],
  );
  return (
    <div
      className="bottleneck-card"
      data-tone={bottleneck ? "bad" : "ok"}
      role={bottleneck ? "alert" : "status"}
      ref={register}
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
  const { binary, pool, thread, link, far, place, useThreads, threads, services, stages, bounds } =
    bottleneck;
  const [busy, setBusy] = useState(false);
  const unheard = useUnheard(drawnName(binary));
  const actions = thread === undefined && link === undefined ? contributed("poolActions").flat() : [];
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
      <strong>Bottleneck: {nameOf(bottleneck)}</strong>
      <span>
        {bottleneck.reason} {bottleneck.advice}
      </span>
      {bottleneck.how === "" ? null : <span className="bottleneck-how">{bottleneck.how}</span>}
      <div className="bottleneck-actions">
        {useThreads === null ? null : (
          <Button
            variant="primary"
            disabled={busy || unheard !== undefined}
            title={unheard}
            onClick={() => void use()}
          >
            {bounds ? "Allow" : "Use"} {useThreads} threads
          </Button>
        )}
        {link !== undefined && far ? <FarActions binary={link} far={far} services={services} /> : null}
        {place ? <Place binary={binary} pool={pool} from={thread} place={place} /> : null}
        {actions.map(({ label, perform }) => (
          <Button
            key={label}
            variant="ghost"
            disabled={unheard !== undefined}
            title={unheard}
            onClick={() => perform(binary, pool)}
          >
            {label}
          </Button>
        ))}
      </div>
      {unheard !== undefined && (useThreads !== null || actions.length > 0) ? (
        <span className="bottleneck-how">{unheard}</span>
      ) : null}
    </>
  );
}

/** Puts what holds a thread elsewhere on the drawing, which the binary is to be built from. */
function Place({
  binary: running,
  pool,
  from,
  place: { service, thread },
}: Pick<Bottleneck, "binary" | "pool"> & {
  from: number | undefined;
  place: NonNullable<Bottleneck["place"]>;
}) {
  const drawn = useDocument((state) =>
    state.topology.binaries.find(({ name }) => findTrack(name)?.binary === running),
  );
  const readOnly = useDocument((state) => state.readOnly);
  if (!drawn) return null;
  const now = drawn.placement[service];
  if (now?.thread !== from || (now?.pool ?? DEFAULT_POOL) !== pool)
    return <span>It is drawn elsewhere now: Restart builds what is drawn.</span>;
  return (
    <Button
      variant="primary"
      disabled={readOnly}
      onClick={() => placeService(drawn.name, service, pool, thread)}
    >
      Place on {thread === undefined ? `all of ${pool}` : threadName(pool, thread)}
    </Button>
  );
}

function Effect({ change }: { change: AppliedChange }) {
  const { binary, pool, from, to } = change;
  const [busy, setBusy] = useState(false);
  const unheard = useUnheard(drawnName(binary));
  const effect = useSlice(useMemo(() => sliced(() => effectOf(change)), [change]));
  const undo = async () => {
    setBusy(true);
    if ((await resizePool(binary, pool, from)) !== undefined) forgetChange(change);
    else setBusy(false);
  };
  return (
    <>
      <strong>
        {capital(nameOf({ pool }))}: {from} → {to} threads
      </strong>
      {effect?.map((part) => <span key={part}>{part}</span>) ?? <span>Looking what it does…</span>}
      <div className="bottleneck-actions">
        <Button disabled={busy || unheard !== undefined} title={unheard} onClick={() => void undo()}>
          Undo, use {from} {from === 1 ? "thread" : "threads"}
        </Button>
      </div>
      {unheard === undefined ? null : <span className="bottleneck-how">{unheard}</span>}
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
  const shown = new Map<string, CardOf>([...bottlenecks, ...changes].map((one) => [cardKey(one), one]));
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
          if (of.thread === undefined) forgetChange(of);
          if (current.has(key)) setHidden(new Set(hidden).add(key));
        }}
      />
    ));
}
