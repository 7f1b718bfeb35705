import { expect, it } from "vitest";
import { uncover } from "./uncover.js";

const at = (box: DOMRect): Element => {
  const element = document.createElement("div");
  element.getBoundingClientRect = () => box;
  return element;
};

it("leaves what an element has to be seen in out of the picture over it, and nothing where there is none", () => {
  const cleared: number[][] = [];
  const context = {
    clearRect: (...box: number[]) => cleared.push(box),
  } as unknown as CanvasRenderingContext2D;
  const picture = at(new DOMRect(40, 60, 900, 600));
  uncover(context, picture, null);
  uncover(context, picture, at(new DOMRect(140, 260, 220, 44)));
  expect(cleared).toEqual([[100, 200, 220, 44]]);
});
