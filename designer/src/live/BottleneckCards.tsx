import { isOwnPool } from "@penstock/codegen/arrange";
import { Gauge, X } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { resizePool } from "../shell/resizePool.js";
import { openTune } from "../tune/tuneActions.js";
import { Button, IconButton } from "../ui/index.js";
import type { Bottleneck } from "./bottleneck.js";
import { cardKey, registerCard } from "./cardPlaces.js";
import { liveStore } from "./liveStore.js";

/** More cards than this hide the drawing; the others have their red ring. */
const MOST_CARDS = 2;

function Card({ bottleneck, onClose }: { bottleneck: Bottleneck; onClose: () => void }) {
  const { binary, pool, useThreads } = bottleneck;
  const [busy, setBusy] = useState(false);
  const use = async () => {
    if (useThreads === null) return;
    setBusy(true);
    await resizePool(binary, pool, useThreads);
    setBusy(false);
  };
  return (
    <div
      className="bottleneck-card"
      role="alert"
      ref={(element) => {
        registerCard(cardKey(bottleneck), element);
        return () => registerCard(cardKey(bottleneck), null);
      }}
    >
      <Gauge size={15} color="var(--bad)" aria-hidden />
      <div className="bottleneck-text">
        <strong>
          Bottleneck: {isOwnPool(pool) ? `join before ${pool.slice(pool.indexOf(".") + 1)}` : `pool ${pool}`}
        </strong>
        <span>
          {bottleneck.reason} {bottleneck.advice}
        </span>
        <div className="bottleneck-actions">
          {useThreads === null ? null : (
            <Button variant="primary" disabled={busy} onClick={() => void use()}>
              Use {useThreads} threads
            </Button>
          )}
          <Button variant="ghost" onClick={() => openTune(binary, pool)}>
            Tune…
          </Button>
        </div>
      </div>
      <IconButton label="Hide" size="sm" icon={<X size={13} />} onClick={onClose} />
    </div>
  );
}

export function BottleneckCards() {
  const bottlenecks = useStore(liveStore, (state) => state.bottlenecks);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  // A hidden card comes back when its pool has been well in between.
  const current = new Set(bottlenecks.map(cardKey));
  const stillHidden = [...hidden].filter((key) => current.has(key));
  if (stillHidden.length !== hidden.size) setHidden(new Set(stillHidden));
  return bottlenecks
    .filter((one) => !hidden.has(cardKey(one)))
    .slice(0, MOST_CARDS)
    .map((one) => (
      <Card
        key={cardKey(one)}
        bottleneck={one}
        onClose={() => setHidden(new Set(hidden).add(cardKey(one)))}
      />
    ));
}
