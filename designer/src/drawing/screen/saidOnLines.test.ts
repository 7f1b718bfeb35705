import { afterEach, expect, it } from "vitest";
import { lineSaidAt, setSaid } from "./saidOnLines.js";

afterEach(() => setSaid([], undefined));

it("finds the line on which something is said where the pointer is, that painted last above the others", () => {
  const view = document.createElement("canvas");
  view.getBoundingClientRect = () => new DOMRect(100, 50, 800, 600);
  setSaid(
    [
      { edge: "call:A>B", x: 10, y: 10, width: 76, height: 18 },
      { edge: "call:A>C", x: 60, y: 10, width: 76, height: 18 },
    ],
    view,
  );
  const at = (clientX: number, clientY: number) => lineSaidAt({ clientX, clientY });
  expect([at(120, 65), at(170, 65), at(240, 65), at(120, 90)]).toEqual([
    "call:A>B",
    "call:A>C",
    undefined,
    undefined,
  ]);
  setSaid([], undefined);
  expect(at(120, 65)).toBeUndefined();
});
