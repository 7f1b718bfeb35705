import { runSoakTests } from "./vitest.mjs";

export const capacity = {
  name: "capacity",
  proves: "the load simulator finds the capacity of real targets, and counts who waited while one stalled",
  usually: "2 minutes",
  run: (root, progress) => runSoakTests(root, ["capacity", "loadedBinary"], progress),
};
