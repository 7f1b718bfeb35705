import { expect, test } from "vitest";
import { REAL_FILES } from "../../test/support/realFiles.js";
import { Random } from "../model/topology/testing/random.js";
import { spoiledFiles, whatIsWrong } from "./testing/checkSpoiled.js";

/** Always the same inputs: `npm run soak -- --only descriptions --minutes 60` draws others for as long as one likes. */
const SEEDS = Array.from({ length: 200 }, (_, at) => 20_261_129 + at);
/** Of the processor, for one input: what takes most needs a third of a second. */
const MOST_SECONDS = 10;

test.each(["proto", "idl"] as const)(
  "spoiled files of %s make a plan, or an error that says which line of which file is at fault",
  async (language) => {
    for (const seed of SEEDS) {
      const { files, chosen } = spoiledFiles(new Random(seed), language, REAL_FILES[language]);
      const begin = process.cpuUsage();
      expect(await whatIsWrong(files, chosen), `PENSTOCK_SEED=${seed}`).toEqual([]);
      const { user, system } = process.cpuUsage(begin);
      expect((user + system) / 1e6, `PENSTOCK_SEED=${seed}`).toBeLessThan(MOST_SECONDS);
    }
  },
);
