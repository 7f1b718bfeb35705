import { writeSync } from "node:fs";
import { Random } from "../../../src/model/topology/testing/random.js";
import { spoiledFiles, whatIsWrong } from "../../../src/imports/testing/checkSpoiled.js";
import { REAL_FILES } from "../../support/realFiles.js";
import type { Language } from "../../../src/imports/testing/spoil.js";

/** `LANGUAGE SEED SECONDS`: imports files of one seed after the other, says each before it begins, and stops at the first fault. */
async function main(): Promise<number> {
  const [language, seed, seconds] = process.argv.slice(2);
  const kind = language as Language;
  for (let at = 0; process.cpuUsage().user < Number(seconds) * 1e6; ++at) {
    const of = (Number(seed) + at) % 2 ** 31;
    writeSync(1, `${of}\n`);
    const { files, chosen } = spoiledFiles(new Random(of), kind, REAL_FILES[kind]);
    const faults = await whatIsWrong(files, chosen);
    if (faults.length === 0) continue;
    writeSync(2, `${faults.join("\n")}\n`);
    return 1;
  }
  return 0;
}

process.exitCode = await main();
