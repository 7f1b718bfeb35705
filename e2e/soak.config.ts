import { defineConfig } from "@playwright/test";
import browser from "./playwright.config.js";

/** Figures of real binaries under load, for a machine that has the time (`npm run soak -- --only figures`). */
export default defineConfig(browser, { testDir: "./soak", workers: 1, retries: 0 });
