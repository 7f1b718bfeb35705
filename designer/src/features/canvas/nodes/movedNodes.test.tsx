import { render } from "@testing-library/react";
import { ReactFlowProvider, type NodeProps } from "@xyflow/react";
import { expect, it, vi } from "vitest";
import { toCanvasNodes, type ServiceNode, type SourceNode } from "../../../drawing/toCanvasNodes.js";
import { documentStore } from "../../../kernel/document/index.js";
import { open } from "../../../testing/ads.js";
import { ServiceNodeView } from "./ServiceNodeView.js";
import { SourceNodeView } from "./SourceNodeView.js";

const named = vi.hoisted(() => ({ count: 0 }));
vi.mock("./NodeName.js", () => ({
  NodeName: () => {
    named.count += 1;
    return null;
  },
}));

it("what is only moved is not rendered again, what is shown otherwise is", () => {
  open();
  const { topology, layout } = documentStore.getState();
  const nodes = toCanvasNodes(topology, layout, []);
  const [service, source] = ["service", "source"].map((type) => nodes.find((node) => node.type === type)!);
  const shown = (x: number, data = service!.data) => {
    const at = { positionAbsoluteX: x, positionAbsoluteY: 0 };
    return (
      <ReactFlowProvider>
        <ServiceNodeView {...({ ...service, ...at, data } as unknown as NodeProps<ServiceNode>)} />
        <SourceNodeView {...({ ...source, ...at } as unknown as NodeProps<SourceNode>)} />
      </ReactFlowProvider>
    );
  };
  const { rerender } = render(shown(0));
  expect(named.count).toBe(2);
  rerender(shown(11));
  expect(named.count).toBe(2);
  rerender(shown(22, { ...service!.data }));
  expect(named.count).toBe(3);
});
