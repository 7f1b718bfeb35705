import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useAllFarOut } from "./farOut.js";

/** What each render gave, in order. */
function follow(count: number, far: boolean) {
  const gave: boolean[] = [];
  const { rerender } = renderHook(
    ({ now }) => {
      gave.push(useAllFarOut(now, count));
    },
    { initialProps: { now: far } },
  );
  return { gave, to: (now: boolean) => rerender({ now }) };
}

it("has every node of a drawing that begins far out, from the first picture", () => {
  expect(follow(1000, true).gave).toEqual([true]);
});

it("drops those out of sight at once when somebody comes close, and adds them later when they go", () => {
  const { gave, to } = follow(1000, true);
  to(false);
  expect(gave.slice(1).every((all) => !all)).toBe(true);
  gave.length = 0;
  to(true);
  expect([gave[0], gave.at(-1)]).toEqual([false, true]);
});

it("leaves those out of sight out of a drawing that is larger still", () => {
  expect(follow(5000, true).gave).toEqual([false]);
});
