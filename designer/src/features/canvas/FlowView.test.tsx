import type * as Library from "@xyflow/react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { topologySchema } from "@penstock/codegen/topology";
import { closeDocument, documentStore, select, showDocument } from "../../kernel/document/index.js";
import { setSaid } from "../../drawing/screen/saidOnLines.js";
import { open } from "../../testing/ads.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { FlowView } from "./FlowView.js";

/** What React Flow was given, one for each render. */
const given = vi.hoisted((): Record<string, unknown>[] => []);
vi.mock("@xyflow/react", async (original) => {
  const library = await original<typeof Library>();
  return {
    ...library,
    ReactFlow: (props: Record<string, unknown>) => {
      given.push(props);
      return <library.ReactFlow {...props} />;
    },
  };
});

/** Observers of the page, told by hand that every element they look at has a size. */
const observers: { callback: ResizeObserverCallback; elements: Set<Element> }[] = [];
class ObserverByHand {
  private readonly mine: (typeof observers)[number];
  constructor(callback: ResizeObserverCallback) {
    this.mine = { callback, elements: new Set() };
    observers.push(this.mine);
  }
  observe(element: Element): void {
    this.mine.elements.add(element);
  }
  unobserve(element: Element): void {
    this.mine.elements.delete(element);
  }
  disconnect(): void {
    this.mine.elements.clear();
  }
}
const everythingIsMeasured = () =>
  act(async () => {
    for (const { callback, elements } of observers)
      if (elements.size > 0)
        callback(
          [...elements].map((target) => ({ target }) as unknown as ResizeObserverEntry),
          {} as ResizeObserver,
        );
  });

let height: number;
beforeEach(() => {
  observers.length = 0;
  given.length = 0;
  height = 700;
  vi.stubGlobal("ResizeObserver", ObserverByHand);
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal(
    "DOMMatrixReadOnly",
    class {
      m22 = 0.3;
    },
  );
  // Boxes have a size, but nothing in them has a place: as ports that are not displayed far out.
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(1200);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(() => height);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1200);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockImplementation(() => height);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
});
afterEach(() => {
  cleanup();
  closeDocument();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("the drawing", () => {
  it("ends its edges at the ports that the nodes were given, whatever the page measures", async () => {
    open();
    const { container } = render(<FlowView />, { wrapper: TooltipProvider });
    // The canvas, then what is on it.
    await everythingIsMeasured();
    await everythingIsMeasured();
    const paths = () =>
      [...container.querySelectorAll(".react-flow__edge-path")].map((path) => path.getAttribute("d") ?? "");
    const given = paths();
    expect(given).toHaveLength(4);
    // The flow leaves its source at the ring of its port, 33 below the upper edge; not at a corner.
    expect(given[0]).toMatch(/^M\d+\.5,33 /);
    await everythingIsMeasured();
    expect(paths()).toEqual(given);
  });

  it("selects the line on which something is said where that is clicked, over another one or over none", async () => {
    open();
    const { container } = render(<FlowView />, { wrapper: TooltipProvider });
    await everythingIsMeasured();
    await everythingIsMeasured();
    const [over, on] = [...container.querySelectorAll(".react-flow__edge")];
    const edge = on!.getAttribute("data-id")!;
    setSaid([{ edge, x: 10, y: 10, width: 76, height: 18 }], document.createElement("canvas"));
    const click = (element: Element, clientX: number) =>
      act(async () => {
        const at = { clientX, clientY: 20, button: 0, isPrimary: true };
        for (const fire of [fireEvent.pointerDown, fireEvent.pointerUp, fireEvent.click]) fire(element, at);
      });
    const pane = container.querySelector(".react-flow__pane")!;
    const selection = () => documentStore.getState().selection;
    for (const once of [1, 2]) {
      await click(pane, 20);
      expect([once, selection()]).toEqual([once, [edge]]);
    }
    await click(pane, 200);
    expect(selection()).toEqual([]);
    await click(over!, 20);
    expect(selection()).toEqual([edge]);
    await click(over!, 200);
    expect(selection()).toEqual([over!.getAttribute("data-id")]);
    setSaid([], undefined);
  });

  it("has no node or edge rendered again but those that changed", async () => {
    open();
    const { container } = render(<FlowView />, { wrapper: TooltipProvider });
    await everythingIsMeasured();
    await everythingIsMeasured();
    given.splice(0, given.length - 1);
    act(() => select("service:ProduceAd"));
    fireEvent.mouseEnter(container.querySelector(".react-flow__node")!);
    // React Flow hands these to each of them, and renders all anew where one is another.
    const handed = (props: Record<string, unknown>) =>
      Object.entries(props).filter(([name]) => /^on(Node|Edge|Reconnect)|Types$/.test(name));
    const [first, ...later] = given.map((props) => new Map(handed(props)));
    expect([...first!.keys()].toSorted()).toEqual([
      "edgeTypes",
      "nodeTypes",
      "onEdgeClick",
      "onEdgeContextMenu",
      "onEdgesChange",
      "onNodeClick",
      "onNodeContextMenu",
      "onNodeDoubleClick",
      "onNodeDrag",
      "onNodeDragStart",
      "onNodeDragStop",
      "onNodeMouseEnter",
      "onNodeMouseLeave",
      "onNodesChange",
      "onReconnect",
      "onReconnectEnd",
      "onReconnectStart",
    ]);
    expect(later.length).toBeGreaterThan(0);
    for (const again of later) for (const [name, value] of first!) expect(again.get(name), name).toBe(value);
  });

  it("is painted far out before it has an element for each of many nodes", async () => {
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
    const names = Array.from({ length: 100 }, (_, index) => `Service${index}`);
    const topology = topologySchema.parse({
      penstock: 1,
      name: "many",
      messages: [{ name: "Ping", fields: [] }],
      services: names.map((name) => ({ name, request: "Ping", response: "Ping" })),
    });
    const nodes = Object.fromEntries(names.map((name, at) => [`service:${name}`, { x: 300 * at, y: 0 }]));
    const opened = { projectId: "p1", revision: "r1", readOnly: false, readOnlyReason: "" };
    showDocument({ ...opened, topology, layout: { penstock: 1, nodes } });
    const { container } = render(<FlowView />, { wrapper: TooltipProvider });
    await everythingIsMeasured();
    const elements = () => container.querySelectorAll(".react-flow__node").length;
    expect(screen.getByTestId("canvas").dataset["far"]).toBe("true");
    expect(elements()).toBe(0);
    // A frame with the picture, and one that follows it.
    for (let frame = 0; frame < 2; frame++) {
      const asked = frames.splice(0);
      await act(async () => asked.forEach((run) => run(performance.now())));
    }
    await everythingIsMeasured();
    expect(elements()).toBe(100);
  });

  it("begins when its place has a height, and in view", async () => {
    open();
    height = 0;
    const { container } = render(<FlowView />, { wrapper: TooltipProvider });
    const viewport = () => container.querySelector<HTMLElement>(".react-flow__viewport")?.style.transform;
    await everythingIsMeasured();
    expect(viewport()).toBeUndefined();
    height = 300;
    await everythingIsMeasured();
    expect(viewport()).toMatch(/scale\(0\.\d+\)$/);
  });
});
