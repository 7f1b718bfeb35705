import { runSoakTests } from "./vitest.mjs";

export const capacity = {
  name: "capacity",
  proves:
    "the load simulator finds the capacity of real targets, counts who waited while one stalled, and loses nothing; a pool gets the threads that its load needs, and loses them again",
  usually: "4 minutes",
  run: (root, progress) =>
    runSoakTests(root, ["capacity", "loadedBinary", "moFlowUnderLoad", "threadsComeAndGo"], progress),
};
