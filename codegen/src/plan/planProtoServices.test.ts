import { expect, test } from "vitest";
import { parseTopology, type Topology } from "../model/topology/index.js";
import { planProtoServices } from "./planProtoServices.js";

const drawn = (bundles: object[], messages: string[] = [], enums: object[] = []): Topology =>
  parseTopology(
    JSON.stringify({
      penstock: 1,
      name: "shop",
      messages: ["Ask", ...messages].map((name) => ({ name })),
      enums,
      services: [
        { name: "Get", request: "Ask", response: "Ask", doc: "One" },
        { name: "Put", request: "Ask" },
      ],
      bundles,
    }),
  ).topology!;

test("bundles are services, and what gives nothing back answers with an empty message", () => {
  const topology = drawn([{ name: "Door", services: ["Get", "Put"], doc: "In" }, { name: "Empty" }]);
  expect(planProtoServices(topology)).toEqual({
    services: [
      {
        name: "Door",
        doc: "In",
        calls: [
          { name: "Get", doc: "One", request: "Ask", response: "Ask" },
          { name: "Put", doc: "", request: "Ask", response: "NoAnswer" },
        ],
      },
    ],
    noAnswer: "NoAnswer",
    leftOut: [],
  });
});

test("one scope has all names: a bundle named as a message or a value is left out, and said", () => {
  const topology = drawn(
    [
      { name: "Ask", services: ["Get"] },
      { name: "Color", services: ["Get"] },
      { name: "RED", services: ["Get"] },
      { name: "NoAnswer2", services: ["Put"] },
    ],
    ["NoAnswer"],
    [{ name: "Color", values: [{ name: "RED", number: 0, protoName: "RED" }] }],
  );
  const { services, noAnswer, leftOut } = planProtoServices(topology);
  expect(services.map(({ name }) => name)).toEqual(["NoAnswer2"]);
  expect(noAnswer).toBe("NoAnswer3");
  expect(leftOut).toEqual(["Ask", "Color", "RED"]);
});
