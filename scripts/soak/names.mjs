import { runSoakTests } from "./vitest.mjs";

export const names = {
  name: "names",
  proves:
    "every word of the system's headers and of generated code that may be a name compiles wherever it is used",
  usually: "4 minutes",
  run: (root, progress) => runSoakTests(root, ["namesCompile", "dangerousNames"], progress),
};
