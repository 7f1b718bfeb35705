import { buildRuntime } from "../setup/runtime.mjs";
import { runBrowserTests } from "../test/playwright.mjs";
import { outcome } from "../test/tally.mjs";
import { runVitest } from "../test/vitest.mjs";
import { doors } from "./attack-doors.mjs";
import { fuzz } from "./fuzz.mjs";
import { inputs } from "./inputs.mjs";
import { stress } from "./stress.mjs";
import { world } from "./world.mjs";

/** Files of codegen/test/soak, by their names. */
const runSoakTests = (root, files, progress, env) =>
  runVitest(
    root,
    ["soak"],
    progress,
    files.map((file) => `codegen/test/soak/${file}.test.ts`),
    env,
  );

const capacity = {
  name: "capacity",
  proves:
    "the load simulator finds the capacity of real targets, counts who waited while one stalled, and loses nothing; a pool gets the threads that its load needs, and loses them again; a second process is asked within a second, and a killed one loses nothing that may be asked twice; perf records a running binary",
  usually: "4 minutes",
  run: (root, progress) =>
    runSoakTests(
      root,
      ["anotherProcess", "capacity", "loadedBinary", "moFlowUnderLoad", "recordedBinary", "threadsComeAndGo"],
      progress,
    ),
};

const wire = {
  name: "wire",
  proves:
    "calls go on over a wire between two hosts that loses, doubles, reorders and changes bytes, is cut, far or narrow, and no event is lost (as root)",
  usually: "4 minutes",
  run: (root, progress) => runSoakTests(root, ["badWire"], progress),
};

const descriptions = {
  name: "descriptions",
  proves:
    "invented files of IDL, and spoiled ones of .proto and IDL, minutes of each, are read as they were meant or refused at a place in a file, in bounded time and memory; the largest of the public files is planned within 2 s of the processor",
  usually: "60 minutes",
  minutes: 20,
  run: (root, progress, { minutes }) =>
    runSoakTests(root, ["publicDescriptions", "inventedDescriptions"], progress, {
      PENSTOCK_MINUTES: String(minutes),
    }),
};

const others = {
  name: "others",
  proves:
    "Go's Twirp, generated from our .proto, asks exposed services and is asked by them, with every code of an error (needs Go and its module proxy)",
  usually: "2 minutes",
  run: (root, progress) => runSoakTests(root, ["goTwirp"], progress),
};

const services = {
  name: "services",
  proves: "200 services in 20 bundles are generated, compile without a warning, run and stop",
  usually: "3 minutes",
  run: (root, progress) => runSoakTests(root, ["twoHundredServices"], progress),
};

const names = {
  name: "names",
  proves:
    "every word of the system's headers and of generated code that may be a name compiles wherever it is used",
  usually: "4 minutes",
  run: (root, progress) => runSoakTests(root, ["namesCompile", "dangerousNames"], progress),
};

const figures = {
  name: "figures",
  proves: "real binaries under load show their drawn rates, their bottleneck and its remedy in the browser",
  usually: "8 minutes",
  run: (root, progress) => runBrowserTests(root, progress, { config: "soak.config.ts" }),
};

const benches = {
  name: "benches",
  proves: "every benchmark of the runtime compiles and links, and the programs of its contenders",
  usually: "5 minutes",
  run: async (root, progress) => {
    await buildRuntime(root, "bench", { progress }, { targets: ["all"] });
    return outcome(1, 0, "");
  },
};

/**
 * Quick ones first. Each says what it `proves` and how long that `usually` takes; `run` gives counts and what
 * is to be read, seeds among it. Those with `minutes` read inputs for that long, of each kind, or as long as `run` is told.
 */
export const PROOFS = [
  capacity,
  services,
  others,
  names,
  doors,
  wire,
  world,
  benches,
  stress,
  fuzz,
  descriptions,
  figures,
  inputs,
];
