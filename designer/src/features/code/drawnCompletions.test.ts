import { autocompletion, currentCompletions, startCompletion } from "@codemirror/autocomplete";
import { EditorView } from "@codemirror/view";
import { topologySchema } from "@penstock/codegen/topology";
import { waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { open } from "../../testing/ads.js";
import { drawnCompletion, drawnCompletions } from "./drawnCompletions.js";

const topology = topologySchema.parse({
  penstock: 1,
  name: "shop",
  messages: [
    {
      name: "Order",
      fields: [
        { name: "amount", type: "int64", tag: 1 },
        { name: "buyer", type: "Person", tag: 2 },
        { name: "notes", type: "string", tag: 3, repeated: true },
      ],
    },
    { name: "Person", fields: [{ name: "age", type: "int32", tag: 1 }] },
    { name: "Receipt", fields: [{ name: "total", type: "int64", tag: 1 }] },
  ],
  enums: [{ name: "Lane", values: [{ name: "SLOW", number: 0 }] }],
  services: [
    { name: "Checkout", request: "Order", response: "Receipt", calls: ["Price", "Check"] },
    { name: "Price", request: "Order", response: "Receipt" },
    { name: "Check", request: "Person" },
    { name: "Blocking", request: "Order", response: "Receipt", kind: "sync-remote", calls: ["Price"] },
  ],
});
const at = (before: string, name = "Checkout") => {
  const service = topology.services.find((item) => item.name === name)!;
  const { options, word } = drawnCompletions(topology, service, before);
  return [options.map(({ label }) => label), word];
};

// The file may be a stranger's: each of these took as many seconds as it has ten thousand characters, squared.
it.each([
  ["blanks", " "],
  ["letters", "a"],
  ["members of members", "a."],
  ["blanks behind a type", `A${" ".repeat(200_000)}`],
])("reads a text of many %s once", (_, text) => {
  expect(at(`${text.padEnd(200_000, text)}!\n  request.`)).toEqual([["amount", "buyer", "notes"], ""]);
  expect(at(`${text.padEnd(200_000, text)}!\n  order.`)).toEqual([[], ""]);
  expect(at(`${text.padEnd(200_000, text)}!\n  Ord`)[1]).toBe("Ord");
});

it.each([
  ["  auto a = co_await calls.", [["Price", "Check"], ""]],
  ["  auto a = co_await calls.Pr", [["Price", "Check"], "Pr"]],
  ["  request.", [["amount", "buyer", "notes"], ""]],
  ["  request.buyer.a", [["age"], "a"]],
  ["  request.notes.", [[], ""]],
  ["  const Person& who = request.buyer;\n  who.", [["age"], ""]],
  ["  const auto answer = co_await calls.Price(request);\n  answer.", [["total"], ""]],
  ["  auto answer = calls.Price(request).get();\n  answer.t", [["total"], "t"]],
  ["  nobody.", [[], ""]],
  ["  co_return {.", [["total"], ""]],
  ["  return Receipt{.to", [["total"], "to"]],
  ["  Person{.age = 3, .", [["age"], ""]],
  ["  x = Lane::", [["SLOW"], ""]],
  ["  re", [["request", "calls", "Order", "Person", "Receipt", "Lane"], "re"]],
  ["  ", [[], ""]],
  ["  std::st", [[], "st"]],
])("offers what is drawn behind %j", (before, offered) => {
  expect(at(before)).toEqual(offered);
});

it("writes a call as the handler's kind makes it", () => {
  const first = (name: string) =>
    drawnCompletions(
      topology,
      topology.services.find((item) => item.name === name)!,
      "calls.",
    ).options;
  expect(first("Checkout").map(({ apply }) => apply)).toEqual(["Price(request)", "Check(check_request)"]);
  expect(first("Blocking").map(({ apply }) => apply)).toEqual(["Price(request).get()"]);
  expect(first("Checkout").map(({ detail }) => detail)).toEqual(["Order → Receipt", "Person → void"]);
});

it("is offered by the editor", async () => {
  open(topology);
  const doc = "  request.";
  const editor = new EditorView({
    doc,
    selection: { anchor: doc.length },
    extensions: [autocompletion(), drawnCompletion(() => "Checkout")],
    parent: document.body,
  });
  startCompletion(editor);
  await waitFor(() =>
    expect(currentCompletions(editor.state).map(({ label }) => label)).toEqual(["amount", "buyer", "notes"]),
  );
  editor.destroy();
});
