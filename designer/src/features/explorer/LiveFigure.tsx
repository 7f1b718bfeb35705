import { parseNodeRef } from "@penstock/codegen/topology";
import { useEffect, useRef } from "react";
import { formatRate, formatShare, words } from "../../kernel/live/figures/format.js";
import { findTrack, liveStore, staleMs, trackOfFlow, trackOfService } from "../../kernel/live/liveStore.js";
import { poolPressure, type Pressure } from "../../kernel/live/bottleneck/pressure.js";

export interface LiveFigureProps {
  /** A NodeRef: service, flow, stage, pool. */
  nodeRef: string;
  className?: string;
}

interface Shown {
  text: string;
  tone: Pressure | "stale";
}

function read(ref: string): Shown {
  const parsed = parseNodeRef(ref);
  const [first = "", second = ""] = parsed?.path ?? [];
  if (parsed?.kind === "pool") {
    const track = findTrack(first);
    const pool = track?.pools.get(second)?.figures;
    if (!track || !pool) return { text: "", tone: "" };
    return {
      text: words(formatShare(pool.load)),
      tone: staleMs(track) > 0 ? "stale" : poolPressure(pool, liveStore.getState().bottlenecks),
    };
  }
  if (parsed?.kind === "flow" || parsed?.kind === "stage") {
    const track = trackOfFlow(first);
    const flow = track?.flows.get(first)?.figures;
    if (!track || !flow) return { text: "", tone: "" };
    const stage = parsed.kind === "stage" ? flow.stages.find((one) => one.id === second) : undefined;
    return {
      text: words(formatRate(stage ? stage.rate : flow.emitted)),
      tone: staleMs(track) > 0 ? "stale" : "",
    };
  }
  const track = trackOfService(first);
  const service = track?.services.get(first)?.figures;
  if (!track || !service) return { text: "", tone: "" };
  if (staleMs(track) > 0) return { text: words(formatRate(service.rate)), tone: "stale" };
  const pressed = liveStore
    .getState()
    .bottlenecks.find((one) => one.link === undefined && one.services.includes(first));
  const pool = track.pools.get(service.pool)?.figures;
  if (pressed && pool) {
    const load =
      pressed.thread === undefined ? pool.load : (pool.threads[pressed.thread]?.busy ?? Number.NaN);
    return {
      text: words(formatShare(Math.max(load, pool.queue > 0 ? pool.queued / pool.queue : 0))),
      tone: "bad",
    };
  }
  return { text: words(formatRate(service.rate)), tone: "" };
}

/** Figures beside words are read, not watched: twice a second is enough. */
const WRITE_EVERY_MS = 500;

/** How each figure writes itself. */
const writers = new Map<Element, () => void>();
let lastWrite = 0;
let frame = 0;
let watching = false;

/**
 * One subscription for all figures, of which those on the screen are written: they are looked for when there
 * is something to write. An IntersectionObserver goes through all 1,000 rows of a tree in each frame in
 * which anything on the page moves.
 */
function watch(element: Element, write: () => void): () => void {
  writers.set(element, write);
  startWatching();
  schedule();
  return () => {
    writers.delete(element);
  };
}

const isOnScreen = (element: Element): boolean => {
  // Asked first: to measure what is left out of the layout is to lay it out.
  if (!element.checkVisibility({ contentVisibilityAuto: true })) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= 0 && top <= innerHeight;
};

/** Where nothing runs every figure is emptied, seen or not: nothing comes after that to do it. */
function writeAll(): void {
  frame = 0;
  lastWrite = performance.now();
  const all = liveStore.getState().binaries.length === 0;
  for (const [element, write] of writers) if (all || isOnScreen(element)) write();
}

const schedule = (): void => {
  if (frame === 0) frame = requestAnimationFrame(writeAll);
};

function startWatching(): void {
  if (watching) return;
  watching = true;
  liveStore.subscribe(() => {
    // A change of what runs is shown at once, figures when it is their turn.
    if (performance.now() - lastWrite < WRITE_EVERY_MS && liveStore.getState().binaries.length > 0) return;
    schedule();
  });
  // What was out of sight comes into it with the figure of when it left. Scrolling does not bubble.
  document.addEventListener("scroll", () => liveStore.getState().binaries.length > 0 && schedule(), {
    capture: true,
    passive: true,
  });
}

/** A small figure that changes in place: it writes its own text node and never renders again. */
export function LiveFigure({ nodeRef, className }: LiveFigureProps) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const span = element.current;
    if (!span) return;
    let last = "";
    return watch(span, () => {
      const { text, tone } = read(nodeRef);
      const key = `${tone} ${text}`;
      if (key === last) return;
      last = key;
      span.textContent = text;
      span.dataset["tone"] = tone;
    });
  }, [nodeRef]);
  return <span ref={element} className={`mono live-figure ${className ?? ""}`} />;
}
