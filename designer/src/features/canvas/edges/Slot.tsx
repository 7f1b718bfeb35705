import { Layers } from "lucide-react";
import { documentStore, select } from "../../../kernel/document/index.js";
import { JOIN_HEIGHT, JOIN_WIDTH, joinWidth } from "../../../drawing/geometry/nodeMeasures.js";
import { openJoinMenu } from "../../../registry/popups.js";
import type { FlowEdgeData, JoinLook } from "../../../drawing/toCanvasEdges.js";

export interface SlotProps {
  x: number;
  y: number;
  /** Between the two ports, px at zoom 1. */
  gap: number;
  edge: string;
  data: FlowEdgeData;
}

/** The place before a stage: a small dashed plus, or the pill of its join; opens what it can hold. */
export function Slot({ x, y, gap, edge, data }: SlotProps) {
  const open = (event: React.MouseEvent | React.KeyboardEvent) => {
    event.stopPropagation();
    const rect = event.currentTarget.getBoundingClientRect();
    if (documentStore.getState().readOnly) select(edge);
    else openJoinMenu({ x: rect.left + rect.width / 2, y: rect.bottom + 6 }, data.flow, data.stage);
  };
  const label = data.join
    ? `Join before ${data.stage}: ${joinName(data.join)}`
    : `Slot before ${data.stage}: put a join here`;
  const common = {
    role: "button",
    tabIndex: 0,
    "aria-haspopup": "dialog" as const,
    "aria-label": label,
    onClick: open,
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open(event);
    },
  };
  if (!data.join) {
    return (
      <g {...common} className="slot nodrag nopan" transform={`translate(${x},${y})`}>
        <circle r={9} className="slot-ring" />
        <path d="M-3.5 0H3.5M0 -3.5V3.5" className="slot-plus" />
      </g>
    );
  }
  const width = joinWidth(gap);
  return (
    <g
      {...common}
      className="join nodrag nopan"
      transform={`translate(${x - width / 2},${y - JOIN_HEIGHT / 2})`}
      style={{ "--pool": data.join.color } as React.CSSProperties}
    >
      <rect width={width} height={JOIN_HEIGHT} rx={8} className="join-box" />
      {width === JOIN_WIDTH ? (
        <Layers x={8} y={8} width={14} height={14} strokeWidth={1.75} className="join-icon" />
      ) : null}
    </g>
  );
}

const joinName = ({ pool, threads }: JoinLook): string =>
  `${pool === undefined ? "its own" : `pool ${pool},`} ${threads} ${threads === "1" ? "thread" : "threads"}`;
