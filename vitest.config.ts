import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/**
 * The one guard against a test that never ends, far above what any takes: on a machine that others use
 * clocks stand still, and a limit near what a test takes is a verdict on the machine.
 */
const guard = { testTimeout: 900_000, hookTimeout: 900_000, expect: { poll: { timeout: 120_000 } } };

/**
 * Half of the processor time of these tests went into reading the same modules for each file; here a process reads
 * them once. So a test leaves nothing behind in them, and what it puts into the environment is taken out again.
 */
const readOnce = { isolate: false, unstubEnvs: true, unstubGlobals: true };

// One run for every TypeScript room; `--project NAME` picks one. What compiles C++ or starts
// binaries lives in codegen/test and is the project `builds`.
export default defineConfig({
  test: {
    // Vitest leaves a processor free otherwise, which on two of them is half the machine.
    maxWorkers: availableParallelism(),
    // To end a worker takes as long as the machine has no time for it.
    teardownTimeout: 120_000,
    // What the designer's threads may keep of earlier files; read here alone. Without it, all there is.
    vmMemoryLimit: "1GB",
    projects: [
      {
        test: {
          name: "codegen",
          root: "codegen",
          include: ["src/**/*.test.ts"],
          environment: "node",
          ...readOnce,
          ...guard,
        },
      },
      {
        test: {
          name: "builds",
          root: "codegen",
          include: ["test/**/*.test.ts"],
          exclude: ["test/soak/**"],
          environment: "node",
          // The command line waits as long as its tests do: a machine that stands still is no failure of it.
          env: { PENSTOCK_PATIENCE: "100" },
          ...guard,
          // More compilers at once would need gigabytes.
          maxWorkers: 2,
          // Beside projects with another number of workers vitest wants to be told who is first.
          sequence: { groupOrder: 2 },
        },
      },
      {
        // What needs real time, real load or luck, or is a bulk of the same: scripts/soak.
        test: {
          name: "soak",
          root: "codegen",
          include: ["test/soak/**/*.test.ts"],
          environment: "node",
          ...guard,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "scripts",
          root: "scripts",
          include: ["**/*.test.mjs"],
          environment: "node",
          ...readOnce,
          ...guard,
        },
      },
      "designer",
    ],
  },
});
