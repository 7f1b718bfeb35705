import { expect, test } from "vitest";
import { findAmong } from "../../src/imports/findAmong.js";
import { importFiles } from "../../src/imports/importFiles.js";
import { newProject } from "../../src/model/topology/index.js";
import { PUBLIC_FILES } from "../support/realFiles.js";

/** Of the processor, as the design has it. */
const MOST_SECONDS = 2;

test("the largest of the public files is planned within 2 s of the processor, and so is each", async () => {
  const files = [...PUBLIC_FILES].sort((a, b) => b.text.length - a.text.length);
  const took: { path: string; seconds: number }[] = [];
  for (const file of files) {
    const begin = process.cpuUsage();
    const { topology, problems } = await importFiles(newProject("taken"), [
      { file: file.path, text: file.text, find: findAmong(files, file) },
    ]);
    const { user, system } = process.cpuUsage(begin);
    took.push({ path: file.path, seconds: (user + system) / 1e6 });
    expect(problems, file.path).toEqual([]);
    if (file === files[0]) expect(topology.messages.length).toBeGreaterThan(10);
  }
  // The first one has the parser loaded as well.
  const [largest] = took;
  console.log(`${largest?.path}: ${largest?.seconds.toFixed(3)} s of the processor, of ${took.length} files`);
  expect(took.filter(({ seconds }) => seconds > MOST_SECONDS)).toEqual([]);
});
