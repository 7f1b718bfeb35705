import path from "node:path";
import { roomsOfCodegen } from "../setup/designer.mjs";
import { namedToVitest, plainRooms, roomsAffected, testedRooms } from "./affected.mjs";
import { runRoomTests } from "./ctest.mjs";
import { runBrowserTests } from "./playwright.mjs";
import { changedFor } from "./since.mjs";
import { runVitest } from "./vitest.mjs";

const browserSafe = roomsOfCodegen(path.resolve(import.meta.dirname, "..", ".."));
/** What the browser cannot have of what is in none of its folders. */
const isOfNoBrowser = (file) =>
  /^(scripts|e2e|codegen)\//.test(file) && !browserSafe.some((room) => file.startsWith(`${room}/`));

/** TypeScript tests that import one of the files; `never` says what these projects cannot import. */
const related = (projects, never) => ({
  choose: (root, files, sources) =>
    files && namedToVitest(root, files, sources).filter((file) => !never(file)),
  run: (root, chosen, progress) => runVitest(root, projects, progress, chosen),
});
/** Tests of the rooms of the runtime that a change can affect, of those that the preset builds. */
const rooms = (preset, testedWith) => ({
  choose: (_, files, sources) => {
    const tested = testedWith(sources);
    return files === undefined ? tested : roomsAffected(files, tested);
  },
  run: (root, chosen, progress) => runRoomTests(root, preset, chosen, progress),
});
/** Of what builds projects and opens browsers, files that were themselves changed: the rest takes too long. */
const themselves = (pattern, run) => ({
  choose: (_, files, sources) => (files ?? []).filter((file) => pattern.test(file) && sources.has(file)),
  run,
  needsBuilt: true,
});

/**
 * What `npm test -- --changed` runs of each section beside the fast checks; the others it leaves out. What ASan
 * runs is not run a second time without.
 */
const PARTS = {
  units: related(["codegen", "scripts"], (file) => /^(designer|e2e)\//.test(file)),
  designer: related(["designer"], isOfNoBrowser),
  runtime: rooms("plain", plainRooms),
  builds: themselves(/^codegen\/test\/(?!soak\/).*\.test\.ts$/, (root, chosen, progress) =>
    runVitest(root, ["builds"], progress, chosen),
  ),
  browser: themselves(/^e2e\/tests\/.*\.spec\.ts$/, (root, chosen, progress) =>
    runBrowserTests(root, progress, { files: chosen }),
  ),
  asan: rooms("asan", testedRooms),
};

/** What of a section these changed files choose: files, rooms; undefined: all of it, empty: nothing. */
export const chosenOf = (section, root, files, sources) =>
  section in PARTS ? PARTS[section].choose(root, files, sources) : [];

/**
 * That part of a section which what has changed can affect; undefined: none of it. `needsBuilt`: projects are
 * built in it, with the library and the designer as they are now.
 */
export function changedPart(root, section, state) {
  const changed = changedFor(root, section.name, state);
  const chosen = chosenOf(section.name, root, changed?.files, state.sources);
  if (chosen?.length === 0) return undefined;
  const { run, needsBuilt = false } = PARTS[section.name];
  return {
    why: changed === undefined ? "all of it" : `${changed.files.length} files changed since ${changed.since}`,
    needsBuilt,
    run: (progress) => run(root, chosen, progress),
  };
}
