import { expect, test } from "vitest";
import { parseTopology } from "../model/topology/index.js";
import { labelOf, ownerOf } from "./benchName.js";

const { topology } = parseTopology(
  JSON.stringify({
    penstock: 1,
    name: "ads",
    messages: [{ name: "M" }],
    services: [
      { name: "GetAd", request: "M" },
      { name: "ProduceAd", request: "M", implementations: ["ModelA", "ModelB"] },
    ],
  }),
);
if (!topology) throw new Error("the drawing of this test is wrong");

test.each([
  ["GetAd/real_time", { name: "GetAd", service: "GetAd" }, "GetAd"],
  ["GetAd/warm/8/real_time", { name: "GetAd/warm/8", service: "GetAd" }, "GetAd/warm/8"],
  [
    "ProduceAd/ModelB/real_time",
    { name: "ProduceAd/ModelB", service: "ProduceAd", implementation: "ModelB" },
    "ProduceAd/ModelB",
  ],
  ["GetAd/min_time:0.500/repeats:3", { name: "GetAd", service: "GetAd" }, "GetAd"],
  ["GetAdBench", { name: "GetAdBench", service: "GetAd" }, "GetAd"],
  [
    "ProduceAdModelABench",
    { name: "ProduceAdModelABench", service: "ProduceAd", implementation: "ModelA" },
    "ProduceAd/ModelA",
  ],
  ["Hashing/64", { name: "Hashing/64", service: "" }, "Hashing/64"],
])("should know whose benchmark %s is", (registered, owner, label) => {
  expect(ownerOf(registered, topology)).toEqual(owner);
  expect(labelOf(ownerOf(registered, topology))).toBe(label);
});
