import { useStoreApi } from "@xyflow/react";
import { useState } from "react";

const measureNothing = (): void => undefined;

/**
 * Keeps React Flow from measuring the nodes of this canvas. Sizes and ports come with each node
 * (toCanvasNodes), yet it observes every node that appears, reads the boxes of its ports back from the
 * page and believes those instead: far out, where ports are not displayed, all edges then end in a
 * corner, and each node that comes into view costs a layout of the page. Call it above `<ReactFlow>`,
 * whose observer takes the function that it finds at its first render.
 */
export function useGivenPorts(): void {
  const store = useStoreApi();
  useState(() => store.setState({ updateNodeInternals: measureNothing }));
}
