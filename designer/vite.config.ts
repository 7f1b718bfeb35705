import { availableParallelism } from "node:os";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/**
 * The designer is served as static files by the Penstock server (`dist/`), under a CSP without
 * inline scripts, so nothing may be inlined as code. `npm run dev -w designer` proxies to a
 * server on PENSTOCK_PORT; the proxy rewrites Host and Origin because the server checks both.
 */
const server = `http://127.0.0.1:${process.env["PENSTOCK_PORT"] ?? "7000"}`;

export default defineConfig({
  plugins: [react()],
  base: "./",
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    // In front of everything else that the page starts with, and so without it.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: "early", test: /src\/(early|kernel\/server\/(early|session))\.ts$/ }],
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "/api": { target: server, changeOrigin: true, ws: true, headers: { origin: server } },
      "/healthz": { target: server, changeOrigin: true },
    },
  },
  test: {
    name: "designer",
    environment: "jsdom",
    // Most of a file's time went into loading jsdom. A thread does it once for all that it runs; each file has
    // modules and a global object of its own all the same, as long as there is more than one thread: a
    // lone one of this pool runs all files in one.
    pool: "vmThreads",
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Beside projects with another number of workers vitest wants to be told who is first.
    sequence: { groupOrder: 1 },
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/withChecks.ts", "src/testing/patience.ts"],
    // The one guard against a test that never ends, as in the other rooms.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Of all styles a test reads the colours alone.
    css: { include: /tokens\.css/ },
  },
} as ReturnType<typeof defineConfig>);
