import { runVitest } from "../test/vitest.mjs";

/** Files of codegen/test/soak, by their names. */
export const runSoakTests = (root, files, progress) =>
  runVitest(
    root,
    ["soak"],
    progress,
    files.map((file) => `codegen/test/soak/${file}.test.ts`),
  );
