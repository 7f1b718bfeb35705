import type { InternalNode } from "@xyflow/react";
import type { Box } from "./box.js";

/** Of a label on a border (canvas.css): above and below it, and what is beside its letters. */
const [LABEL_OVER, BESIDE_NAME, LETTER] = [12, 37, 8];

/** The name on a border around others, of the border's `box` as it is shown at a zoom. */
export function holderLabel({ data }: Pick<InternalNode, "data">, box: Box, zoom: number): Box {
  const {
    name = "",
    labelX = 0,
    label,
  } = data as {
    name?: string;
    labelX?: number;
    label?: { x: number; border: string };
  };
  return {
    x: box.x + (label?.x ?? labelX) * zoom,
    y: box.y + (label?.border === "bottom" ? box.height : 0) - LABEL_OVER * zoom,
    width: Math.min(box.width, (BESIDE_NAME + LETTER * name.length) * zoom),
    height: 2 * LABEL_OVER * zoom,
  };
}
