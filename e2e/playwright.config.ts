import { defineConfig } from "@playwright/test";
import { CHROMIUM } from "./support/chromium.js";

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
    // The page as it was at each step; to film it as well takes half of all the processor time.
    trace: { mode: "retain-on-failure", screenshots: false },
    screenshot: "only-on-failure",
    launchOptions: CHROMIUM,
  },
});
