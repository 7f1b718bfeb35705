import { parseNodeRef } from "@penstock/codegen/topology";
import { useEffect, useRef } from "react";
import { formatRate, formatShare, words } from "../../kernel/live/format.js";
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
  const pressed = liveStore.getState().bottlenecks.some((one) => one.services.includes(first));
  const pool = track.pools.get(service.pool)?.figures;
  if (pressed && pool)
    return {
      text: words(formatShare(Math.max(pool.load, pool.queue > 0 ? pool.queued / pool.queue : 0))),
      tone: "bad",
    };
  return { text: words(formatRate(service.rate)), tone: "" };
}

/** Figures beside words are read, not watched: twice a second is enough. */
const WRITE_EVERY_MS = 500;

/** Figures that are on the screen now, and how each writes itself. */
const visible = new Map<Element, () => void>();
const writers = new WeakMap<Element, () => void>();
let watcher: IntersectionObserver | undefined;
let lastWrite = 0;

/** One observer and one subscription for all figures: a tree of 1,000 rows costs what its 30 visible ones cost. */
function watch(element: Element, write: () => void): () => void {
  writers.set(element, write);
  watcher ??= startWatching();
  watcher.observe(element);
  return () => {
    watcher?.unobserve(element);
    visible.delete(element);
    writers.delete(element);
  };
}

function startWatching(): IntersectionObserver {
  liveStore.subscribe(() => {
    const now = performance.now();
    // A change of what runs is shown at once, figures when it is their turn.
    if (now - lastWrite < WRITE_EVERY_MS && liveStore.getState().binaries.length > 0) return;
    lastWrite = now;
    for (const write of visible.values()) write();
  });
  return new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const write = writers.get(target);
      if (!isIntersecting || !write) visible.delete(target);
      else {
        visible.set(target, write);
        write();
      }
    }
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
