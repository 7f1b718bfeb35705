import { outcome } from "./tally.mjs";
import { namedToVitest, roomsAffected, testedRooms } from "./affected.mjs";
import { runRoomTests } from "./ctest.mjs";
import { runVitest } from "./vitest.mjs";
import { changedFor } from "./since.mjs";

const nothing = (why) => outcome(0, 0, why);

const related = (section, projects) => ({
  section,
  run: (root, files, sources, progress) =>
    runVitest(root, projects, progress, files && namedToVitest(root, files, sources)),
});
const rooms = (section, preset) => ({
  section,
  run: (root, files, sources, progress) => {
    const tested = testedRooms(sources);
    const chosen = files === undefined ? tested : roomsAffected(files, tested);
    return chosen.length === 0 ? nothing("") : runRoomTests(root, preset, chosen, progress);
  },
});
/** Of what builds projects and opens browsers, files that were themselves changed: the rest takes too long. */
const themselves = (section, projects, pattern) => ({
  section,
  run: (root, files, sources, progress) => {
    const chosen = (files ?? []).filter((file) => pattern.test(file) && sources.has(file));
    return chosen.length === 0 ? nothing("") : runVitest(root, projects, progress, chosen);
  },
});

/** What `npm test -- --changed` runs of each section beside the fast checks; the others it leaves out. */
const PARTS = [
  related("units", ["codegen", "scripts"]),
  related("designer", ["designer"]),
  rooms("runtime", "dev"),
  rooms("asan", "asan"),
  themselves("builds", ["builds"], /^codegen\/test\/.*\.test\.ts$/),
];

/** That part of a section which what has changed can affect; undefined: none of it. */
export function changedPart(root, section, state) {
  const part = PARTS.find((one) => one.section === section.name);
  if (part === undefined) return undefined;
  const changed = changedFor(root, section.name, state);
  if (changed !== undefined && changed.files.length === 0) return undefined;
  return {
    why: changed === undefined ? "all of it" : `${changed.files.length} files changed since ${changed.since}`,
    run: (progress) => part.run(root, changed?.files, state.sources, progress),
  };
}
