import { DEFAULT_POOL, threadName } from "@penstock/codegen/topology";
import { Cpu } from "lucide-react";
import { useCpuLoad } from "../../kernel/live/hooks.js";
import { findTrack } from "../../kernel/live/liveStore.js";
import { documentStore } from "../../kernel/document/index.js";
import { formatShare, words } from "../../kernel/live/figures/format.js";
import { toast } from "../../kernel/ui/index.js";
import { pinToLane } from "./actions.js";
import { dropZone } from "./dragPlace.js";
import type { Lane } from "./lanes.js";
import { ThreadCardView } from "./ThreadCardView.js";

/** Above this share a CPU is drawn as full: nothing is wrong by that alone, but there is no more of it. */
const FULL = 0.9;
/** With more threads than this the cards of a lane say only what differs. */
const ROOMY = 8;

/** One CPU, filled to its load, with the threads pinned to it; or those that may run on any. */
export function LaneView({
  binary,
  lane,
  core,
  known,
}: {
  binary: string;
  lane: Lane;
  core: number | undefined;
  known: boolean;
}) {
  const loads = useCpuLoad();
  const load = lane.cpu === null ? undefined : loads?.get(lane.cpu);
  const running = loads !== null && loads.size > 0;
  const share = running && lane.cpu !== null ? (load ?? 0) : undefined;
  const name = lane.cpu === null ? "Any CPU" : `CPU ${lane.cpu}`;
  const drop = dropZone("thread", ({ pool, index }) => {
    const drawn = documentStore.getState().topology.binaries.find(({ name }) => name === binary)?.pools ?? [];
    // What is not drawn cannot be pinned there, nor undone.
    if (pool === DEFAULT_POOL && lane.cpu !== null && !drawn.some((one) => one.name === pool))
      toast("The built-in pool runs anywhere", {
        body: "Select it and choose “Size and pin this pool” first.",
      });
    else pinToLane(binary, pool, index, lane.cpu, isRunning(binary, pool, index));
  });
  const compact = lane.threads.length > ROOMY;
  return (
    <section
      className="lane"
      aria-label={name}
      data-full={share !== undefined && share > FULL}
      style={{ "--fill": `${Math.round((share ?? 0) * 100)}%` } as React.CSSProperties}
      {...drop}
    >
      <div className="lane-head">
        <span className="lane-name">
          <Cpu size={14} strokeWidth={1.75} aria-hidden /> {name}
        </span>
        <span className="mono lane-facts" data-bad={!known}>
          {known
            ? lane.cpu === null
              ? "not pinned to one"
              : core === undefined
                ? ""
                : `core ${core}`
            : "not on this machine"}
        </span>
        {share === undefined ? null : (
          <span className="lane-load mono" data-full={share > FULL}>
            {words(formatShare(share))}
          </span>
        )}
      </div>
      <div className="lane-threads" data-compact={compact}>
        {lane.threads.map((card) => (
          <ThreadCardView
            key={threadName(card.pool, card.index)}
            binary={binary}
            card={card}
            shares={lane.cpu === null ? 1 : lane.threads.length}
            compact={compact}
          />
        ))}
        {lane.threads.length === 0 ? <span className="lane-empty">Drop a thread here to pin it</span> : null}
      </div>
    </section>
  );
}

const findPool = (binary: string, pool: string) => findTrack(binary)?.pools.get(pool)?.figures;

/** Whether the thread is there in the running binary, so that a pin can be applied at once. */
const isRunning = (binary: string, pool: string, index: number): boolean =>
  findPool(binary, pool)?.threads[index] !== undefined;
