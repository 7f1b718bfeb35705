import { readFileSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { Obstacle } from "../setup/report.mjs";
import { hasInputs, isInput } from "../test/inputs.mjs";
import { SECTIONS } from "../test/sections.mjs";
import { sourcesOf } from "../test/sources.mjs";
import { outcome } from "../test/tally.mjs";

const LONG_AGO = new Date("2001-01-01");

/** Forgets that anybody has read these files; who reads one afterwards is seen by the time that the disk keeps. */
function forgetReaders(root, files) {
  for (const file of files)
    utimesSync(path.join(root, file), LONG_AGO, statSync(path.join(root, file)).mtime);
}
const wasRead = (root, file) => statSync(path.join(root, file)).atime > LONG_AGO;

/** @throws {Obstacle} where the disk does not keep when files are read (`noatime`) */
function requireReadTimes(root) {
  forgetReaders(root, ["package.json"]);
  readFileSync(path.join(root, "package.json"));
  if (!wasRead(root, "package.json"))
    throw new Obstacle("this disk does not keep when files are read (noatime)", "clone to a disk that does");
}

/** Files that a section opened though it says that it cannot read them. */
export async function openedOutside(root, section, files, work) {
  requireReadTimes(root);
  forgetReaders(root, files);
  const result = await work();
  return { result, opened: files.filter((file) => wasRead(root, file) && !isInput(section, file)) };
}

export const inputs = {
  name: "inputs",
  proves:
    "no section of npm test opens a source that is not among its inputs (nothing else may read this clone meanwhile)",
  usually: "as long as npm test -- --all",
  async run(root, progress) {
    const files = [...sourcesOf(root).keys()];
    let passed = 0;
    const failures = [];
    for (const section of SECTIONS.filter(({ name }) => hasInputs(name))) {
      const { result, opened } = await openedOutside(root, section.name, files, () =>
        section.run(root, (text) => progress(`${section.name}: ${text}`)),
      );
      const said = [
        ...(result.failed > 0 ? [`${section.name} failed:\n${result.output}`] : []),
        ...opened.map((file) => `${section.name} opened ${file}, no input of it (scripts/test/inputs.mjs)`),
      ];
      if (said.length === 0) passed += 1;
      else failures.push(...said);
    }
    return outcome(passed, failures.length, failures.join("\n"));
  },
};
