import { useStoreApi } from "@xyflow/react";
import { documentStore } from "../../kernel/document/index.js";
import { formatRate, words } from "../../kernel/live/figures/format.js";
import { liveStore } from "../../kernel/live/liveStore.js";
import { lookOf } from "../../drawing/paint/lookOf.js";
import { stateOf, type State } from "../../drawing/paint/stateOf.js";
import { readThemeColors } from "../../kernel/ui/look/themeColors.js";
import { themeStore } from "../../kernel/ui/index.js";
import type { CanvasNode } from "../../drawing/toCanvasNodes.js";

const STATES: Record<State, string> = {
  bad: "in trouble",
  blocked: "its callers are blocked",
  warn: "work waits",
  ok: "keeps up",
  stale: "nothing heard of it",
  none: "",
};

/** What a node says under the pointer where its own words are too small: its types, its state, its rate. */
function hintOf(node: string, data: Exclude<CanvasNode["data"], { empty: boolean }>): string[] {
  const look = lookOf(
    {
      topology: documentStore.getState().topology,
      bottlenecks: liveStore.getState().bottlenecks,
      colors: readThemeColors(themeStore.getState().epoch),
      now: performance.now(),
    },
    node,
  );
  const types = "request" in data ? [data.request, data.response].filter(Boolean).join(" → ") : "";
  const rate = look?.figures && !Number.isNaN(look.figures.rate) ? words(formatRate(look.figures.rate)) : "";
  const state = data.mark === "error" ? "has an error" : STATES[stateOf(look, data.mark)];
  return [types, [rate, state].filter(Boolean).join(", ")].filter(Boolean);
}

/** Beside the node that the pointer is on, far out. */
export function FarHint({ node: id }: { node: string }) {
  const { nodeLookup, transform, width } = useStoreApi().getState();
  const node = nodeLookup.get(id);
  const data = node?.data as CanvasNode["data"] | undefined;
  if (!node || !data || !("icon" in data)) return null;
  const [tx, ty, zoom] = transform;
  const { x, y } = node.internals.positionAbsolute;
  const [left, top] = [x * zoom + tx, y * zoom + ty];
  const right = left > width / 2;
  return (
    <div
      className="far-hint"
      role="tooltip"
      style={{
        top: top + (node.measured.height ?? 0) * zoom + 6,
        ...(right ? { right: width - left - (node.measured.width ?? 0) * zoom } : { left }),
      }}
    >
      <strong>{data.name}</strong>
      {hintOf(id, data).map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}
