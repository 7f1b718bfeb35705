import { newProject, printTopology } from "@penstock/codegen/topology";
import { expect, it } from "vitest";
import { whyNoDrawing } from "./damage.js";

it("says why a text is no drawing, where, and what is expected", () => {
  expect(whyNoDrawing(printTopology(newProject("theirs")))).toBe("");
  expect(whyNoDrawing('{\n  "penstock": 1,, }')).toMatch(
    / \(line 2, column \d+\)\. .*topology\.json in its folder\.$/,
  );
  // Its shape alone is wrong: that has no line, but a reason.
  expect(whyNoDrawing("[]")).toMatch(/^\S.*\. .*topology\.json in its folder\.$/);
});
