import { expect, it } from "vitest";
import { lassoed } from "./lassoed.js";

const members = new Map([
  [
    "bundle:All",
    new Map([
      ["service:A", 1],
      ["service:B", 2],
    ]),
  ],
]);
const after = (selected: string[], picked: string[]) => [
  ...lassoed(new Set([...selected, ...picked]), new Set(picked), members),
];

it("takes no bundle of which it has a part", () => {
  expect(after([], ["bundle:All", "service:A"])).toEqual(["service:A"]);
});

it("takes a bundle with all that is in it, also when its border was crossed before", () => {
  expect(after(["service:A"], ["service:B"])).toEqual(["service:A", "service:B", "bundle:All"]);
});

it("leaves a bundle that was selected before", () => {
  expect(after(["bundle:All"], ["service:A"])).toEqual(["bundle:All", "service:A"]);
});
