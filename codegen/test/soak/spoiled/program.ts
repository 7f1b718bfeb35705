import { writeSync } from "node:fs";
import { Random } from "../../../src/model/topology/testing/random.js";
import { spoiledFiles, whatIsWrong } from "../../../src/imports/testing/checkSpoiled.js";
import { REAL_FILES } from "../../support/realFiles.js";
import type { Language } from "../../../src/imports/testing/spoil.js";

const A_MOMENT_MS = 10;

/** Said when it returns, so that the last seed is known whatever comes: who reads slowly is waited for. */
function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, A_MOMENT_MS);
    }
  }
}

/** `LANGUAGE SEED SECONDS`: imports files of one seed after the other, says each before it begins, and stops at the first fault. */
async function main(): Promise<number> {
  const [language, seed, seconds] = process.argv.slice(2);
  const kind = language as Language;
  for (let at = 0; process.cpuUsage().user < Number(seconds) * 1e6; ++at) {
    const of = (Number(seed) + at) % 2 ** 31;
    say(String(of));
    const { files, chosen } = spoiledFiles(new Random(of), kind, REAL_FILES[kind]);
    const faults = await whatIsWrong(files, chosen);
    if (faults.length === 0) continue;
    writeSync(2, `${faults.join("\n")}\n`);
    return 1;
  }
  return 0;
}

process.exitCode = await main();
