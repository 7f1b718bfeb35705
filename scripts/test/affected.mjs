import { readFileSync } from "node:fs";
import path from "node:path";
import { CPP_ROOMS } from "../check/rooms.mjs";
import { WIRE_PAGE } from "./inputs.mjs";

/** Above all rooms: whole binaries and what stands for them (runtime-cpp/cmake/tests.cmake). */
const WHOLE = ["samples", "programs"];

/** What the runtime without metrics is made of. */
const UNMETERED = new Set(["base", "metrics"]);

const above = (room) => Object.keys(CPP_ROOMS).filter((other) => CPP_ROOMS[other].includes(room));

/** The logic of the runtime in simulated worlds (runtime-cpp/cmake/world.cmake): what flows are made of, and joins. */
const WORLD = "world";
const ofTheWorld = (room) =>
  ["flow", "net", "app", "config", "control"].includes(room) || above(room).includes("flow");

/**
 * The rooms of the runtime whose tests a change of these files can affect: a test's own, a room's and those
 * above it. What is in no room (public headers, what tests share, CMake's files) is in all.
 * @returns {string[]} names of test programs
 */
export function roomsAffected(files, tested) {
  const rooms = new Set();
  const add = (names) => names.forEach((name) => rooms.add(name));
  for (const file of files) {
    const [, room, name] = /^runtime-cpp\/penstock\/([^/]+)\/(.+)$/.exec(file) ?? [];
    const [, whole] = /^runtime-cpp\/testing\/(samples|programs)\//.exec(file) ?? [];
    if (whole !== undefined) add([whole]);
    else if (/^runtime-cpp\/testing\/world\/|\.world\.cpp$/.test(file)) add([WORLD]);
    else if (file.startsWith("runtime-cpp/bench/compare/")) add(["compare", "unmetered"]);
    // How tests are set up and run has tests of its own.
    else if (file.startsWith("scripts/")) continue;
    else if (file === WIRE_PAGE) add(["net"]);
    else if (/^runtime-cpp\/(bench|fuzz|guard)\/|\.bench\.cpp$/.test(file)) continue;
    else if (room === undefined || !(room in CPP_ROOMS)) add(tested);
    // The tests of calls run in the world, too, as they stand.
    else if (/\.(test|stress|model|counted)\.cpp$/.test(name)) add(room === "call" ? [room, WORLD] : [room]);
    else {
      add([room, ...above(room), ...WHOLE]);
      if (UNMETERED.has(room)) add(["unmetered"]);
      if (ofTheWorld(room)) add([WORLD]);
    }
  }
  return tested.filter((room) => rooms.has(room));
}

const haveTests = (sources, suffix) => (room) =>
  [...sources.keys()].some((file) => file.startsWith(`runtime-cpp/penstock/${room}/`) && suffix.test(file));

/** Rooms of the runtime that have tests in this clone, and what stands above them. */
export const testedRooms = (sources) => [
  ...Object.keys(CPP_ROOMS).filter(haveTests(sources, /\.test\.cpp$/)),
  ...[...WHOLE, "compare", "unmetered", WORLD],
];

/** Those with tests that no sanitizer runs, which is all that the preset `plain` builds. */
export const plainRooms = (sources) => [
  ...Object.keys(CPP_ROOMS).filter(haveTests(sources, /\.(model|counted)\.cpp$/)),
  ...["unmetered", WORLD],
];

const MODULE = /\.(tsx?|mjs)$/;

/** A style sheet is imported as a module is; who reads one by its path names it. */
const SHEET = /\.css$/;
const COMMENT = /^\s*(\/\/|\/?\*).*$/gm;

/**
 * What to name to vitest, which follows imports: the changed files, and for those that nobody imports (templates,
 * examples, docs, C++) the modules that name their folder or their name, as who reads a file by its path does.
 */
export function namedToVitest(root, files, sources) {
  const named = files.filter((file) => sources.has(file));
  const words = new Set();
  for (const file of files.filter((one) => !MODULE.test(one))) {
    const folders = file.split("/");
    // "codegen" and the like stand in half of all modules; there the next folder tells.
    const folder = ["codegen", "designer", "scripts", "e2e"].includes(folders[0])
      ? folders.at(-2)
      : folders[0];
    if (!SHEET.test(file)) words.add(folder);
    words.add(path.basename(file));
  }
  if (words.size === 0) return named;
  const escaped = [...words].map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const says = new RegExp(`["'\`/](${escaped.join("|")})["'\`/?]`);
  const readers = [...sources.keys()].filter(
    (file) =>
      MODULE.test(file) && says.test(readFileSync(path.join(root, file), "utf8").replaceAll(COMMENT, "")),
  );
  return [...new Set([...named, ...readers])];
}
