import { defineConfig } from "@playwright/test";
import { CHROMIUM } from "./support/chromium.js";

const seen = process.env["PENSTOCK_TRACE"] === "1";

/**
 * The browser suite: Debian's Chromium, a real server, real builds, real binaries. Two workers: while one waits for a
 * page or a binary, the other compiles. Generous bounds, since a compiler runs inside the tests.
 */
export default defineConfig({
  testDir: "./tests",
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 3_600_000,
  // One guard for all that is waited for, far above what any of it takes on a machine that has no time for it.
  expect: { timeout: 300_000 },
  reporter: [["list"]],
  outputDir: "../build/e2e",
  use: {
    actionTimeout: 300_000,
    // Nothing is half way when it is looked at (no transition, no flight to a node), and nothing pulses while a compiler runs.
    contextOptions: { reducedMotion: "reduce" },
    viewport: { width: 1440, height: 900 },
    colorScheme: "dark",
    // What was done at each step. To film the page takes half of all the processor time, to keep its elements
    // a tenth: PENSTOCK_TRACE=1 does both.
    trace: { mode: "retain-on-failure", screenshots: seen, snapshots: seen },
    screenshot: "only-on-failure",
    launchOptions: { ...CHROMIUM, timeout: 600_000 },
  },
});
