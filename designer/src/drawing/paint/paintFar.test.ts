import { describe, expect, it } from "vitest";
import { shortened } from "./paintFar.js";
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
