import { threadName } from "@penstock/codegen/topology";
import { stageRef } from "../../kernel/document/edits/flows.js";
import { select, useDocument } from "../../kernel/document/index.js";
import { formatRate, formatShare, words } from "../../kernel/live/figures/format.js";
import { usePoolPressure, useStale, useThreadFigures } from "../../kernel/live/hooks.js";
import { writtenCpus } from "../../kernel/document/cpus.js";
import { poolColor } from "../../kernel/ui/index.js";
import { placeService } from "../../kernel/run/placeService.js";
import { joinToPool } from "./actions.js";
import { dropZone, endDrag, startDrag } from "./dragPlace.js";
import type { ThreadCard } from "./lanes.js";
import { ServiceChip } from "./ServiceChip.js";

/** Above this share of a CPU, sharing the core with another busy thread hurts. */
const BUSY = 0.6;

/** One thread: how busy it is and, where there is room for that (not `compact`), what runs on it; dragged onto a lane it is pinned there. */
export function ThreadCardView({
  binary,
  card,
  shares,
  compact,
}: {
  binary: string;
  card: ThreadCard;
  shares: number;
  compact: boolean;
}) {
  const { pool, index, cpus, ownOf } = card;
  // The threads of a join are sized where it is, and pinned nowhere.
  const ref = ownOf ? stageRef(ownOf.flow, ownOf.stage) : `pool:${binary}/${pool}`;
  const selected = useDocument((state) => state.selection.includes(ref));
  const readOnly = useDocument((state) => state.readOnly);
  const figures = useThreadFigures(binary, pool, index);
  const pressure = usePoolPressure(binary, pool, index);
  const stale = useStale(binary);
  const color = poolColor(card.poolIndex);
  const busy = figures?.busy;
  const name = card.cached ? pool : threadName(pool, index);
  const note = card.cached
    ? { words: "as many threads as there is work for", tone: "plain" as const }
    : noteOf(cpus, shares, figures);
  return (
    <article
      className="thread-card"
      aria-label={`Thread ${name}`}
      tabIndex={0}
      data-selected={selected}
      data-stale={stale}
      draggable={!readOnly && !ownOf}
      style={{ "--pool": color } as React.CSSProperties}
      onDragStart={(event) => startDrag(event, { drag: "thread", pool, index })}
      onDragEnd={endDrag}
      onClick={() => select(ref)}
      onKeyDown={(event) => event.key === "Enter" && select(ref)}
      {...(ownOf
        ? {}
        : dropZone("service", ({ service, stage }) =>
            stage ? void joinToPool(binary, stage, pool) : placeService(binary, service, pool, index),
          ))}
    >
      <header>
        <span className="swatch" style={{ background: color }} />
        <span className="mono thread-name">{name}</span>
        <span
          className="mono thread-busy"
          title={
            stale
              ? "The last that was heard of it"
              : "Share of the last second that it spent in handlers; the rest it waited for work"
          }
        >
          {busy === undefined ? (
            ""
          ) : (
            <>
              {words(formatShare(busy))}
              <span className="thread-word"> busy</span>
            </>
          )}
        </span>
      </header>
      <div className="thread-bar" data-pressure={pressure}>
        <span style={{ width: `${Math.round((busy ?? 0) * 100)}%` }} />
      </div>
      {compact ? null : <Chips binary={binary} card={card} />}
      {note ? (
        <p className="mono thread-note" data-tone={note.tone}>
          {note.words}
        </p>
      ) : null}
    </article>
  );
}

function Chips({ binary, card: { pool, poolIndex, runs } }: { binary: string; card: ThreadCard }) {
  const times = new Map<string, number>();
  for (const { service } of runs) times.set(service, (times.get(service) ?? 0) + 1);
  return (
    <div className="chips">
      {runs.map(({ service, stage }) => (
        <ServiceChip
          key={stage ? stageRef(stage.flow, stage.stage) : service}
          binary={binary}
          service={service}
          stage={stage}
          pool={pool}
          color={poolColor(poolIndex)}
          named={(times.get(service) ?? 0) > 1}
        />
      ))}
    </div>
  );
}

function noteOf(
  cpus: readonly number[],
  shares: number,
  figures: ReturnType<typeof useThreadFigures>,
): { words: string; tone: "plain" | "bad" } | undefined {
  if (figures && cpus.length > 0) {
    const met = cpus.length === figures.actual.length && cpus.every((cpu) => figures.actual.includes(cpu));
    if (!met)
      return {
        words: `asked ${writtenCpus(cpus)}, runs on ${writtenCpus(figures.actual) || "none"}`,
        tone: "bad",
      };
  }
  if (cpus.length === 1 && shares > 1 && (figures?.cpuShare ?? 0) > BUSY)
    return { words: "pinned here; shares the core", tone: "bad" };
  const notes = cpus.length > 1 ? [`CPU ${writtenCpus(cpus)}`] : [];
  if (figures && figures.stolen > 0) notes.push(`stole ${words(formatRate(figures.stolen))}`);
  return notes.length > 0 ? { words: notes.join(" · "), tone: "plain" } : undefined;
}
