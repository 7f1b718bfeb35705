import { runSoakTests } from "./vitest.mjs";

export const capacity = {
  name: "capacity",
  proves:
    "the load simulator finds the capacity of real targets, counts who waited while one stalled, and loses nothing",
  usually: "3 minutes",
  run: (root, progress) => runSoakTests(root, ["capacity", "loadedBinary", "moFlowUnderLoad"], progress),
};
