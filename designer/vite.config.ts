import { availableParallelism } from "node:os";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * The designer is served as static files by the Penstock server (`dist/`), under a CSP without
 * inline scripts, so nothing may be inlined as code. `npm run dev -w designer` proxies to a
 * server on PENSTOCK_PORT; the proxy rewrites Host and Origin because the server checks both.
 */
const server = `http://127.0.0.1:${process.env["PENSTOCK_PORT"] ?? "7000"}`;

/** The letters that every page shows. */
const FONTS = /(inter|jetbrains-mono)-latin-wght-normal-.+\.woff2$/;

/**
 * What the page asks for at once: its first questions to the server, by a script that waits for no other (as
 * an import it would wait until all of them are read), and its fonts, which else come when words have been drawn
 * without them, to be drawn again.
 */
const first: Plugin = {
  name: "first",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle }) {
      const files = Object.values(bundle ?? {});
      const early = files.find((file) => file.type === "chunk" && file.name === "early");
      if (!early) throw new Error("the page's first questions are in no file of their own");
      const script = { type: "module", crossorigin: true, src: `./${early.fileName}` };
      const fonts = files.filter(({ fileName }) => FONTS.test(fileName)).map(({ fileName }) => fileName);
      return [
        { tag: "script", attrs: script, injectTo: "head-prepend" as const },
        ...fonts.map((font) => ({
          tag: "link",
          attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `./${font}` },
          injectTo: "head-prepend" as const,
        })),
      ];
    },
  },
};

export default defineConfig({
  plugins: [react(), first],
  base: "./",
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "early", test: /src\/(early|kernel\/server\/(early|session))\.ts$/, priority: 1 },
            // Files that are read and compiled side by side; a library's changes with the library alone.
            {
              name: "react",
              test: /node_modules\/(react|react-dom|scheduler)\//,
              tags: ["$initial"],
              priority: 1,
            },
            { name: "libraries", test: /node_modules\//, tags: ["$initial"] },
            // What else the page starts with is one file, whatever parts of it the later ones share.
            { name: "page", tags: ["$initial"] },
          ],
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
    setupFiles: ["src/testing/setUp.ts"],
    // The one guard against a test that never ends, as in the other rooms.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Of all styles a test reads the colours alone.
    css: { include: /tokens\.css/ },
  },
} as ReturnType<typeof defineConfig>);
