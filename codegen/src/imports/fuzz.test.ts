import { expect, test } from "vitest";
import { REAL_FILES } from "../../test/support/realFiles.js";
import { Random } from "../model/topology/testing/random.js";
import { spoiledFiles, whatIsWrong } from "./testing/checkSpoiled.js";

/** Always the same inputs: `npm run soak -- --only descriptions --minutes 60` draws others for as long as one likes. */
const SEEDS = Array.from({ length: 200 }, (_, at) => 20_261_129 + at);

test.each(["proto", "idl"] as const)(
  "spoiled files of %s make a plan, or an error that says which line of which file is at fault",
  async (language) => {
    for (const seed of SEEDS) {
      const { files, chosen } = spoiledFiles(new Random(seed), language, REAL_FILES[language]);
      expect(await whatIsWrong(files, chosen), `PENSTOCK_SEED=${seed}`).toEqual([]);
    }
  },
);
