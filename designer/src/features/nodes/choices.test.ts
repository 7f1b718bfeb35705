import { expect, test } from "vitest";
import { topologySchema } from "@penstock/codegen/topology";
import { validateTopology } from "@penstock/codegen/validate";
import { firstChoices, firstGenerator, typedChoices } from "./choices.js";

const TIERS = [
  {
    name: "Tier",
    values: [
      { name: "BASIC", number: 0 },
      { name: "PREMIUM", number: 1 },
    ],
  },
];
const field = (type: string) => ({ name: "x", type, tag: 1 });

test.each([
  ["int32", "1, 2", [1, 2]],
  ["double", "0.5,-1e3", [0.5, -1000]],
  ["int64", "1, two", [1, "two"]],
  ["bool", "true, false", [true, false]],
  ["string", " a, 2,, true ", ["a", "2", "true"]],
])("choices of %s typed as %j are %j", (type, text, choices) => {
  expect(typedChoices(text, field(type))).toEqual(choices);
});

test("choices to begin with are of the field's type", () => {
  const types = ["uint32", "bool", "string", "Tier"];
  expect(types.map((type) => firstChoices(field(type), TIERS))).toEqual([
    [0, 1],
    [true, false],
    ["a", "b"],
    ["BASIC", "PREMIUM"],
  ]);
});

test.each(["int64", "double", "bool", "string", "Tier", "bytes", "Inner"])(
  "how a field of type %s is made to begin with has no fault, whether it holds one value or several",
  (type) => {
    for (const one of [field(type), { ...field(type), repeated: true }]) {
      const topology = topologySchema.parse({
        penstock: 1,
        name: "demo",
        enums: TIERS,
        messages: [{ name: "Inner" }, { name: "Event", fields: [one] }],
        services: [{ name: "Take", request: "Event" }],
        flows: [
          {
            name: "Events",
            event: "Event",
            source: { kind: "rate", perSecond: 1, event: { x: firstGenerator(one, TIERS) } },
            stages: [{ id: "take", service: "Take" }],
          },
        ],
      });
      expect(validateTopology(topology).filter(({ severity }) => severity === "error")).toEqual([]);
    }
  },
);
