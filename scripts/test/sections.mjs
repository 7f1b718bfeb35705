import { runChecks } from "../check/run-checks.mjs";
import { tidyGenerated, tidyRuntime } from "./clang-tidy.mjs";
import { runFuzzTargets, runRuntimeTests } from "./ctest.mjs";
import { countInstructions } from "./instructions.mjs";
import { runBrowserTests } from "./playwright.mjs";
import { runVitest } from "./vitest.mjs";

/**
 * Everything that is tested, cheap and telling first; each section is named for `--only`. `waits` are those that
 * leave processors idle while they wait for binaries and browsers: from the first of them on, two sections are run
 * at a time, one of each kind as long as there are both. `rest` is what is left of a section in a run of all of them.
 */
export const SECTIONS = [
  { name: "checks", title: "Fast checks", run: (root) => runChecks(root) },
  {
    name: "units",
    title: "TypeScript tests",
    waits: true,
    run: (root, progress) => runVitest(root, ["codegen", "scripts"], progress),
  },
  {
    name: "designer",
    title: "Designer tests",
    run: (root, progress) => runVitest(root, ["designer"], progress),
  },
  {
    name: "runtime",
    title: "Runtime tests",
    run: (root, progress) => runRuntimeTests(root, "dev", progress),
    rest: (root, progress) => runRuntimeTests(root, "plain", progress),
  },
  {
    name: "instructions",
    title: "Instructions of the hot paths",
    run: (root, progress) => countInstructions(root, progress),
  },
  {
    name: "builds",
    title: "Generated projects and command line",
    waits: true,
    run: (root, progress) => runVitest(root, ["builds"], progress),
  },
  {
    name: "browser",
    title: "Browser tests",
    waits: true,
    run: (root, progress) => runBrowserTests(root, progress),
  },
  {
    name: "asan",
    title: "Runtime tests, AddressSanitizer and UBSan",
    run: (root, progress) => runRuntimeTests(root, "asan", progress),
  },
  {
    name: "tsan",
    title: "Runtime tests, ThreadSanitizer",
    run: (root, progress) => runRuntimeTests(root, "tsan", progress),
  },
  {
    name: "fuzz",
    title: "Fuzz targets, a short run",
    run: (root, progress) => runFuzzTargets(root, progress),
  },
  {
    name: "tidy",
    title: "clang-tidy, runtime",
    run: (root, progress) => tidyRuntime(root, progress),
  },
  {
    name: "tidy-generated",
    title: "clang-tidy, generated project",
    run: (root, progress) => tidyGenerated(root, progress),
  },
];
