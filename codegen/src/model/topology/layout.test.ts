import { describe, expect, it } from "vitest";
import { parseLayout, printLayout } from "./index.js";
import { Random, seedOf } from "./testing/random.js";

describe("layout.json", () => {
  it("is printed sorted and rounded, one node a line", () => {
    const layout = {
      penstock: 1 as const,
      nodes: { "service:B": { x: 1.26, y: -0.01 }, "flow:A": { x: 3, y: 4, width: 100, height: 50 } },
    };
    expect(printLayout(layout)).toBe(
      '{\n  "penstock": 1,\n  "nodes": {\n    "flow:A": { "x": 3, "y": 4, "width": 100, "height": 50 },\n    "service:B": { "x": 1.3, "y": 0 }\n  }\n}\n',
    );
  });

  it("is stable to the byte for any coordinates", () => {
    const seed = seedOf(process.env["PENSTOCK_SEED"]);
    const random = new Random(seed);
    for (let round = 0; round < 300; round++) {
      const at = (): number => (random.next() - 0.5) * random.pick([1, 100, 2e6]);
      const nodes = Object.fromEntries(random.list(5, (n) => [`service:S${n}`, { x: at(), y: at() }]));
      const text = printLayout({ penstock: 1, nodes });
      const { layout, problems } = parseLayout(text);
      expect(problems).toEqual([]);
      expect(printLayout(layout), `PENSTOCK_SEED=${seed}`).toBe(text);
    }
  });

  it("never stops anybody: what is no layout gives an empty one and a warning", () => {
    for (const text of ["", "{", "[]", '{ "penstock": 2 }', "null", "\u0000"]) {
      const { layout, problems } = parseLayout(text);
      expect(layout).toEqual({ penstock: 1, nodes: {} });
      expect(problems).toMatchObject([{ code: "PS140", severity: "warning" }]);
    }
  });

  it("loses only the entries that cannot be used", () => {
    const text =
      '{ "penstock": 1, "nodes": { "service:A": { "x": 1, "y": 2 }, "nonsense": { "x": 1, "y": 2 }, "flow:F": { "x": "far" }, "pool:b/p": { "x": 1e300, "y": 0 } } }';
    const { layout, problems } = parseLayout(text);
    expect(layout.nodes).toEqual({ "service:A": { x: 1, y: 2 } });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain("3 entries");
  });
});
