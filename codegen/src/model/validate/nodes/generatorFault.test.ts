import { expect, test } from "vitest";
import { indexTopology, topologySchema } from "../../topology/index.js";
import { generatorFault } from "./generatorFault.js";

const index = indexTopology(topologySchema.parse({ penstock: 1, name: "shop" }));
const GREATEST = 3.4028235e38;

test.each([
  ["float", { choice: [GREATEST, -GREATEST] }, true],
  ["float", { choice: [3.403e38] }, false],
  ["float", { uniform: [0, GREATEST] }, true],
  ["float", { uniform: [-GREATEST / 2, GREATEST / 2] }, true],
  ["float", { uniform: [-1, GREATEST] }, true],
  ["float", { uniform: [-2e38, 2e38] }, false],
  ["double", { choice: [Number.MAX_VALUE] }, true],
  ["double", { uniform: [-2e38, 2e38] }, true],
  ["double", { uniform: [-1e308, 1e308] }, false],
  ["int32", { uniform: [-(2 ** 31), 2 ** 31 - 1] }, true],
])("a %s is made by %j where C++ has its numbers: %s", (type, generator, fits) => {
  const fault = generatorFault(generator, { name: "size", type, tag: 1 }, index);
  expect(fault === undefined).toBe(fits);
});
