import { isOwnPool } from "@penstock/codegen/arrange";
import { DEFAULT_POOL, MOST_REPLICAS, replicasOf } from "@penstock/codegen/topology";
import { useEffect, useMemo, useState } from "react";
import { changeBinary } from "../../kernel/document/edits/binaries.js";
import { documentStore, edit, reveal, useDocument, type DocumentModel } from "../../kernel/document/index.js";
import type { Bottleneck } from "../../kernel/live/bottleneck/bottleneck.js";
import { staysSound } from "../../kernel/problems/staysSound.js";
import { Button } from "../../kernel/ui/index.js";

const withProcesses = (model: DocumentModel, binary: string, replicas: number): DocumentModel =>
  changeBinary(model, binary, (item) => ({ ...item, replicas }));

interface Far {
  /** The one that is called. */
  binary: string;
  far: NonNullable<Bottleneck["far"]>;
  /** What is called there. */
  services: readonly string[];
}

/** What lets another binary take more: the queue in the form of its pool, and another process of it. */
export function FarActions({ binary, far, services }: Far) {
  const drawn = useDocument(({ topology }) => topology.binaries.find(({ name }) => name === binary));
  // Of who is not heard of, what is drawn.
  const placed = drawn ? services.map((service) => drawn.placement[service]?.pool ?? DEFAULT_POOL) : [];
  const pools = far.pools.length > 0 ? far.pools : [...new Set(placed)];
  return (
    <>
      <MoreProcesses binary={binary} far={far} />
      {pools
        .filter((pool) => !isOwnPool(pool))
        .map((pool) => (
          <Button key={pool} variant="ghost" onClick={() => reveal(`pool:${binary}/${pool}`)}>
            Show pool {pool}
          </Button>
        ))}
    </>
  );
}

/** One process more on the drawing, which a restart starts; only where nothing drawn forbids it. */
function MoreProcesses({ binary, far: { processes } }: Pick<Far, "binary" | "far">) {
  const topology = useDocument((state) => state.topology);
  const readOnly = useDocument((state) => state.readOnly);
  const drawn = topology.binaries.find(({ name }) => name === binary);
  const [now, next] = [replicasOf(drawn), replicasOf(drawn) + 1];
  const after = useMemo(
    () => withProcesses({ topology, layout: documentStore.getState().layout }, binary, next).topology,
    [topology, binary, next],
  );
  const [sound, setSound] = useState<typeof after>();
  useEffect(() => {
    let left = false;
    void staysSound(topology, after).then(
      (is) => void (is && !left && setSound(after)),
      () => undefined,
    );
    return () => void (left = true);
  }, [topology, after]);
  if (!drawn) return null;
  if (now > processes) return <span>{now} processes are drawn: Restart starts them.</span>;
  if (next > MOST_REPLICAS || sound !== after) return null;
  return (
    <Button
      variant="primary"
      disabled={readOnly}
      onClick={() => edit("Set replicas", (model) => withProcesses(model, binary, next))}
    >
      Use {next} processes
    </Button>
  );
}
