import type { Edge, InternalNode } from "@xyflow/react";
import { Position } from "@xyflow/system";
import { describe, expect, it } from "vitest";
import type { Brush } from "./brush.js";
import { paintFarEdges, shortened } from "./paintFar.js";
import type { NodeLook } from "./paintNode.js";
import { stateOf } from "./stateOf.js";

describe("a name where there is little room", () => {
  it("keeps its beginning and its end, by which names differ", () => {
    expect(shortened("ProduceAd", 9)).toBe("ProduceAd");
    expect(shortened("Service85", 7)).toBe("Ser…e85");
    expect(shortened("Service85", 6)).toBe("Ser…85");
  });
});

describe("the state of a node", () => {
  const look = (fields: Partial<NodeLook>): NodeLook => ({
    figures: { rate: 1, errorRate: 0, p50: null, p99: null },
    load: { busy: 0.99, waiting: 0, blocked: 0 },
    implementations: [],
    poolColor: "",
    slow: new Set(),
    staleMs: 0,
    bottleneck: false,
    ...fields,
  });

  it("is well where it is only busy, and nothing where nothing runs", () => {
    expect(stateOf(look({}), undefined)).toBe("ok");
    expect(stateOf(null, undefined)).toBe("none");
  });

  it("names what is worst", () => {
    const waits = { busy: 0.5, waiting: 0.9, blocked: 0 };
    expect(stateOf(look({ load: waits }), undefined)).toBe("warn");
    expect(stateOf(look({ load: { ...waits, blocked: 0.5 } }), undefined)).toBe("blocked");
    expect(stateOf(look({ load: waits, bottleneck: true }), undefined)).toBe("bad");
    expect(stateOf(look({ figures: { rate: 1, errorRate: 2, p50: null, p99: null } }), undefined)).toBe(
      "bad",
    );
    expect(stateOf(look({ staleMs: 9000 }), undefined)).toBe("stale");
    expect(stateOf(look({}), "error")).toBe("bad");
  });
});

describe("edges far out", () => {
  const port = (position: Position) => ({ id: null, x: 0, y: 0, width: 6, height: 6, position });
  const node = (x: number) =>
    ({
      internals: {
        positionAbsolute: { x, y: 0 },
        handleBounds: { source: [port(Position.Right)], target: [port(Position.Left)] },
      },
    }) as unknown as InternalNode;
  const nodes = new Map([
    ["a", node(0)],
    ["b", node(100)],
  ]);
  const edge = (fields: Partial<Edge>): Edge => ({
    id: "",
    source: "a",
    target: "b",
    type: "call",
    ...fields,
  });

  it("are a hair's breadth wide whatever the zoom, and those selected stand out from the others", () => {
    let lines = 0;
    const strokes: unknown[][] = [];
    const context = new Proxy({} as Record<string, unknown>, {
      get: (target, name) => {
        if (name === "moveTo") return () => void lines++;
        if (name === "beginPath") return () => void (lines = 0);
        if (name === "stroke") return () => strokes.push([target["strokeStyle"], lines, target["lineWidth"]]);
        return () => undefined;
      },
    }) as unknown as CanvasRenderingContext2D;
    const colors = new Proxy({}, { get: (_, name) => String(name) }) as Brush["colors"];
    const edges = [edge({}), edge({ type: "flow" }), edge({ selected: true }), edge({ type: "catch" })];
    paintFarEdges({ context, colors, zoom: 0.25 } as Brush, [...edges, edge({ target: "gone" })], (id) =>
      nodes.get(id),
    );
    expect(strokes).toEqual([
      ["text-3", 2, 4],
      ["bad", 1, 4],
      ["accent", 1, 4],
    ]);
  });
});
