import { expect, test } from "vitest";
import { checkInvented } from "../../src/imports/idl/testing/checkInvented.js";
import { Random, seedOf } from "../../src/model/topology/testing/random.js";

/** Of the processor: what a soak takes does not depend on what else runs. */
const SECONDS = 3600;

test(
  "an hour of invented and spoiled IDL is read or refused",
  () => {
    const seed = seedOf(process.env["PENSTOCK_SEED"]);
    const random = new Random(seed);
    const begin = process.cpuUsage();
    const spentS = (): number => process.cpuUsage(begin).user / 1e6;
    let rounds = 0;
    for (; spentS() < SECONDS; ++rounds)
      for (const fault of checkInvented(random))
        expect.fail(`PENSTOCK_SEED=${seed}, round ${rounds}: ${fault}`);
    console.log(`${rounds} files, PENSTOCK_SEED=${seed}`);
  },
  4 * SECONDS * 1000,
);
