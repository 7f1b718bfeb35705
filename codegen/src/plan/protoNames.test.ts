import { expect, test } from "vitest";
import { topologySchema } from "../model/topology/index.js";
import { protoNames } from "./protoNames.js";

const names = (fields: object[], reserved: object = {}): { fields: object; oneofs: object } => {
  const drawn = fields.map((field, at) => ({ type: "bool", tag: at + 1, ...field }));
  const [message] = topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "A", fields: drawn, reserved }],
  }).messages;
  const { fields: inProto, oneofs } = protoNames(message!);
  return { fields: Object.fromEntries(inProto), oneofs: Object.fromEntries(oneofs) };
};

test("fields and oneofs that are drawn in camelCase are snake_case in the .proto", () => {
  expect(
    names([
      { name: "perSecond" },
      { name: "aURL", optional: true, oneof: "whichOne" },
      { name: "md5", optional: true, oneof: "whichOne" },
    ]),
  ).toEqual({
    fields: { perSecond: "per_second", aURL: "a_url", md5: "md5" },
    oneofs: { whichOne: "which_one" },
  });
});

test("a field keeps a name in the .proto that is not its name in JSON, or none would be read there", () => {
  expect(names([{ name: "per_Second" }, { name: "getX", jsonName: "GetX" }]).fields).toEqual({
    per_Second: "per_Second",
    getX: "getX",
  });
});

test("a name in the .proto that something else of the message has stays as drawn", () => {
  const member = { optional: true, oneof: "one_two" };
  expect(names([{ name: "oneTwo" }, { name: "a", ...member }]).fields).toMatchObject({ oneTwo: "oneTwo" });
  expect(names([{ name: "oneTwo" }], { names: ["one_two"] }).fields).toEqual({ oneTwo: "oneTwo" });
  expect(names([{ name: "oneTwo" }, { name: "b", jsonName: "one_two" }]).fields).toMatchObject({
    oneTwo: "oneTwo",
  });
  expect(names([{ name: "oneTwo" }, { name: "a", ...member, oneof: "one_Two" }])).toMatchObject({
    fields: { oneTwo: "one_two" },
    oneofs: { one_Two: "one_Two" },
  });
  expect(names([{ name: "oneTwo", optional: true, oneof: "oneTWO" }])).toEqual({
    fields: { oneTwo: "one_two" },
    oneofs: { oneTWO: "oneTWO" },
  });
});
