import { useStore as useFlowStore, ViewportPortal, type ReactFlowState } from "@xyflow/react";
import { useCallback, useMemo } from "react";
import { BRACKET_OVER, hairline } from "../../drawing/geometry/nodeMeasures.js";
import { fusedGroups, type FusedGroup } from "../../drawing/fusedGroups.js";
import type { CanvasEdge } from "../../drawing/toCanvasEdges.js";

interface Place {
  x: number;
  y: number;
  width: number;
}

function placeOf({ members }: FusedGroup, { nodeLookup }: ReactFlowState): Place | undefined {
  const boxes = members.flatMap((id) => {
    const node = nodeLookup.get(id);
    return node ? [{ ...node.internals.positionAbsolute, width: node.measured.width ?? 0 }] : [];
  });
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  return { x, y: Math.min(...boxes.map((box) => box.y)) - BRACKET_OVER, width: right - x };
}

const samePlaces = (a: readonly (Place | undefined)[], b: readonly (Place | undefined)[]): boolean =>
  a.length === b.length &&
  a.every((place, at) => {
    const other = b[at];
    return place?.x === other?.x && place?.y === other?.y && place?.width === other?.width;
  });

/** A bracket over all that one thread runs without a queue between, with the name of its threads. */
export function FusedBrackets({ edges }: { edges: readonly CanvasEdge[] }) {
  const groups = useMemo(() => fusedGroups(edges), [edges]);
  const places = useFlowStore(
    useCallback((state: ReactFlowState) => groups.map((group) => placeOf(group, state)), [groups]),
    samePlaces,
  );
  const line = useFlowStore((state) => hairline(state.transform[2]));
  if (groups.length === 0) return null;
  return (
    <ViewportPortal>
      {groups.map(({ color, threads, members }, at) => {
        const place = places[at];
        return place ? (
          <div
            key={members[0]}
            className="fused-bracket"
            style={
              {
                "--threads": color,
                "--hairline": `${line}px`,
                width: place.width,
                transform: `translate(${place.x}px, ${place.y}px)`,
              } as React.CSSProperties
            }
          >
            <span title="They run one after the other on one thread, without a queue between">{threads}</span>
          </div>
        ) : null;
      })}
    </ViewportPortal>
  );
}
