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
  timeout: 600_000,
  // One guard for all that is waited for, far above what any of it takes.
  expect: { timeout: 150_000 },
  reporter: [["list"]],
  outputDir: "../build/e2e",
  use: {
    actionTimeout: 150_000,
    viewport: { width: 1440, height: 900 },
    colorScheme: "dark",
    // What pulses while something runs is drawn by the processor that the compiler needs.
    contextOptions: { reducedMotion: "reduce" },
    // What was done at each step. To film the page takes half of all the processor time, to keep its elements
    // a tenth: PENSTOCK_TRACE=1 does both.
    trace: { mode: "retain-on-failure", screenshots: seen, snapshots: seen },
    screenshot: "only-on-failure",
    launchOptions: CHROMIUM,
  },
});
