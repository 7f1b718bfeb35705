import { defineConfig } from "vitest/config";

// One run for every TypeScript room; `--project NAME` picks one. What compiles C++ or starts
// binaries lives in codegen/test and is the project `builds`.
export default defineConfig({
  test: {
    projects: [
      {
        test: { name: "codegen", root: "codegen", include: ["src/**/*.test.ts"], environment: "node" },
      },
      {
        test: {
          name: "builds",
          root: "codegen",
          include: ["test/**/*.test.ts"],
          environment: "node",
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      { test: { name: "scripts", root: "scripts", include: ["**/*.test.mjs"], environment: "node" } },
      "designer",
    ],
  },
});
