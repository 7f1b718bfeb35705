/**
 * What each section of `npm test` reads, said by what it cannot read: a file or folder that nobody thought of
 * belongs to every section. `npm run soak -- --only inputs` runs the sections and looks at what they opened.
 */

const startsWith = (...prefixes) => {
  return (file) => prefixes.some((prefix) => file.startsWith(prefix));
};
const matches = (pattern) => (file) => pattern.test(file);
const either =
  (...rules) =>
  (file) =>
    rules.some((rule) => rule(file));

/** Words for people, and settings of tools that only the fast checks run. */
const words = either(
  matches(/^[A-Z]+(\.md)?$/),
  startsWith(".ci/", ".github/", "docker/", "knip.json", ".oxlintrc", ".prettier"),
);
/** Of the scripts, a section runs set-up and itself. */
const otherScripts = (file) =>
  file.startsWith("scripts/") &&
  (!/^scripts\/(setup|test)(\/|\.mjs$)/.test(file) || file.endsWith(".test.mjs"));
const typescriptTests = matches(/\.test\.(tsx?|mjs)$|^codegen\/(test|soak)\/|^designer\/src\/testing\//);
const browserTests = startsWith("e2e/");
/** What tests of the browser have from others. */
const sharedWithTheBrowser = matches(/^codegen\/test\/(protos\/|support\/ownPort\.ts$)/);
const runtimeTests = either(
  matches(/^runtime-cpp\/.*\.(test|stress|model|counted|bench)\.cpp$/),
  startsWith("runtime-cpp/fuzz/", "runtime-cpp/guard/", "runtime-cpp/stress/", "runtime-cpp/testing/"),
);

/** The page whose examples the tests of C++ read. */
export const WIRE_PAGE = "docs/wire.md";

/** C++ alone: no package of node's, nothing drawn or generated. */
const notOfTheRuntime = either(
  words,
  otherScripts,
  (file) => file.startsWith("docs/") && file !== WIRE_PAGE,
  startsWith("codegen/", "designer/", "e2e/", "examples/", "templates/"),
  startsWith("package.json", "package-lock.json", "tsconfig.base.json", "vitest.config.ts"),
);

/** Sections by name, with what they cannot read; the fast checks read everything and are always run. */
const CANNOT_READ = {
  units: () => false,
  designer: either(
    words,
    otherScripts,
    browserTests,
    startsWith("runtime-cpp/"),
    matches(/^codegen\/(test\/|soak\/|.*\.test\.ts$)/),
  ),
  runtime: notOfTheRuntime,
  instructions: notOfTheRuntime,
  builds: either(words, browserTests, runtimeTests, matches(/^codegen\/src\/.*\.test\.ts$/)),
  browser: either(
    words,
    (file) => typescriptTests(file) && !sharedWithTheBrowser(file),
    runtimeTests,
    startsWith("docs/decisions/"),
  ),
  asan: notOfTheRuntime,
  tsan: notOfTheRuntime,
  fuzz: notOfTheRuntime,
  tidy: notOfTheRuntime,
  "tidy-generated": either(
    words,
    typescriptTests,
    browserTests,
    runtimeTests,
    startsWith("docs/", "designer/"),
  ),
};

export const hasInputs = (section) => section in CANNOT_READ;

/** Whether a change of this file can change how a section ends. */
export const isInput = (section, file) => !CANNOT_READ[section](file);
