import { expect, test } from "vitest";
import { checkInvented } from "../../src/imports/idl/testing/checkInvented.js";
import { Random, seedOf } from "../../src/model/topology/testing/random.js";
import { readSpoiled } from "./spoiled/watch.js";

/** Of the processor: what a soak takes does not depend on what else runs. For each kind of input. */
const SECONDS = 60 * Number(process.env["PENSTOCK_MINUTES"] ?? 20);
const GUARD = { timeout: 60_000 + 10 * SECONDS * 1000 };

test("invented IDL is read as it was meant, and spoiled IDL is read or refused", GUARD, () => {
  const seed = seedOf(process.env["PENSTOCK_SEED"]);
  const random = new Random(seed);
  const begin = process.cpuUsage();
  const spentS = (): number => process.cpuUsage(begin).user / 1e6;
  let rounds = 0;
  for (; spentS() < SECONDS; ++rounds)
    for (const fault of checkInvented(random))
      expect.fail(`PENSTOCK_SEED=${seed}, round ${rounds}: ${fault}`);
  console.log(`${rounds} files, PENSTOCK_SEED=${seed}`);
});

test.each(["proto", "idl"] as const)(
  "spoiled files of %s make a plan or an error with a line, in bounded time and memory",
  GUARD,
  async (language) => {
    const seed = seedOf(process.env["PENSTOCK_SEED"]);
    const { count, next, fault } = await readSpoiled(language, seed, SECONDS);
    expect(fault, `PENSTOCK_SEED=${next}`).toBe("");
    expect(count).toBeGreaterThan(0);
    console.log(`${count} inputs of ${language}, PENSTOCK_SEED=${seed}`);
  },
);
