import { Background, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

/**
 * React Flow with nodes of its own default look and nothing around it: the limit of what any page made
 * with it can do. Nodes and edges come as JSON, as a drawing comes to the designer; sizes are given,
 * only what is visible is drawn, as its documentation advises.
 */
const { nodes, edges } = await (await fetch("./nodes.json")).json();
createRoot(document.getElementById("root")).render(
  createElement(
    ReactFlow,
    {
      defaultNodes: nodes,
      defaultEdges: edges,
      onlyRenderVisibleElements: true,
      fitView: true,
      minZoom: 0.04,
      panOnScroll: true,
    },
    createElement(Background),
  ),
);
