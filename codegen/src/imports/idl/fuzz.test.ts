import { expect, test } from "vitest";
import { Random, seedOf } from "../../model/topology/testing/random.js";
import { checkInvented } from "./testing/checkInvented.js";

test("invented files are read as they were meant, and spoiled ones are read or refused at a place in them", () => {
  const seed = seedOf(process.env["PENSTOCK_SEED"]);
  const random = new Random(seed);
  for (let round = 0; round < 200; round++)
    expect(checkInvented(random), `PENSTOCK_SEED=${seed}`).toEqual([]);
});
