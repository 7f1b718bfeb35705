import { readFileSync } from "node:fs";
import path from "node:path";
import { CPP_ROOMS } from "../check/rooms.mjs";

/** Above all rooms: whole binaries and what stands for them (runtime-cpp/cmake/tests.cmake). */
const WHOLE = ["samples", "programs"];

/** What the runtime without metrics is made of. */
const UNMETERED = new Set(["base", "metrics"]);

const above = (room) => Object.keys(CPP_ROOMS).filter((other) => CPP_ROOMS[other].includes(room));

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
    else if (file.startsWith("runtime-cpp/bench/compare/")) add(["compare", "unmetered"]);
    else if (/^runtime-cpp\/(bench|fuzz|guard)\/|\.bench\.cpp$/.test(file)) continue;
    else if (room === undefined || !(room in CPP_ROOMS)) add(tested);
    else if (/\.(test|stress|model|counted)\.cpp$/.test(name)) add([room]);
    else add([room, ...above(room), ...WHOLE, ...(UNMETERED.has(room) ? ["unmetered"] : [])]);
  }
  return tested.filter((room) => rooms.has(room));
}

/** Rooms of the runtime that have tests in this clone, and the two above them. */
export const testedRooms = (sources) => [
  ...Object.keys(CPP_ROOMS).filter((room) =>
    [...sources.keys()].some(
      (file) => file.startsWith(`runtime-cpp/penstock/${room}/`) && file.endsWith(".test.cpp"),
    ),
  ),
  ...WHOLE,
  ...["compare", "unmetered"],
];

const MODULE = /\.(tsx?|mjs)$/;

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
    words.add(["codegen", "designer", "scripts", "e2e"].includes(folders[0]) ? folders.at(-2) : folders[0]);
    words.add(path.basename(file));
  }
  if (words.size === 0) return named;
  const escaped = [...words].map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const says = new RegExp(`["'\`/](${escaped.join("|")})["'\`/]`);
  const readers = [...sources.keys()].filter(
    (file) => MODULE.test(file) && says.test(readFileSync(path.join(root, file), "utf8")),
  );
  return [...new Set([...named, ...readers])];
}
