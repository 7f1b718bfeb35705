import { topologySchema } from "@penstock/codegen/topology";
import { expect, it } from "vitest";
import { formOf, fromRequest, requestMessage, toRequest } from "./requestForm.js";

const topology = topologySchema.parse({
  penstock: 1,
  name: "shop",
  enums: [{ name: "Speed", values: [{ name: "SLOW", number: 0 }] }],
  messages: [
    { name: "Item", fields: [{ name: "name", type: "string", tag: 1 }] },
    {
      name: "Order",
      fields: [
        { name: "id", type: "uint64", tag: 1 },
        { name: "note", type: "string", tag: 2 },
        { name: "gift", type: "bool", tag: 3 },
        { name: "speed", type: "Speed", tag: 4 },
        { name: "items", type: "Item", repeated: true, tag: 5 },
      ],
    },
  ],
});
const forms = formOf(topology, requestMessage(topology, "Order")!);

it("makes JSON of what is typed, and leaves out what is not", () => {
  const typed = {
    id: "18446744073709551615",
    note: 'a "b"',
    gift: "true",
    speed: "SLOW",
    items: ' [{"name": "x"}] ',
  };
  expect(toRequest(forms, typed)).toEqual({
    request:
      '{"id": 18446744073709551615, "note": "a \\"b\\"", "gift": true, "speed": "SLOW", "items": [{"name": "x"}]}',
  });
  expect(toRequest(forms, { note: "" })).toEqual({ request: "{}" });
});

it("names the field that is no JSON", () => {
  expect(toRequest(forms, { items: "[{" })).toMatchObject({ field: "items" });
});

it("leaves the judgement of a number to the binary", () => {
  expect(toRequest(forms, { id: "many" })).toEqual({ request: '{"id": "many"}' });
});

it("shows an earlier request as it was typed", () => {
  const typed = { id: "7", note: "a", gift: "true", items: '[{"name":"x"}]' };
  const sent = toRequest(forms, typed);
  expect(fromRequest(forms, "request" in sent ? sent.request : "")).toEqual(typed);
  expect(fromRequest(forms, "no JSON")).toEqual({});
});

it("shows numbers of an earlier request to their last digit", () => {
  const typed = { id: "18446744073709551615", items: '[{"name":9007199254740993}]' };
  const sent = toRequest(forms, typed);
  expect(fromRequest(forms, "request" in sent ? sent.request : "")).toEqual(typed);
});

it("has a form for the built-in Failure", () => {
  expect(formOf(topology, requestMessage(topology, "Failure")!).map(({ name }) => name)).toContain("code");
});
