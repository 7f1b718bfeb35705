import { runSoakTests } from "./vitest.mjs";

export const services = {
  name: "services",
  proves: "200 services in 20 bundles are generated, compile without a warning, run and stop",
  usually: "3 minutes",
  run: (root, progress) => runSoakTests(root, ["twoHundredServices"], progress),
};
