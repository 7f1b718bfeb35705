import { runBrowserTests } from "../test/playwright.mjs";

export const figures = {
  name: "figures",
  proves: "real binaries under load show their drawn rates, their bottleneck and its remedy in the browser",
  usually: "8 minutes",
  run: (root, progress) => runBrowserTests(root, progress, { config: "soak.config.ts" }),
};
