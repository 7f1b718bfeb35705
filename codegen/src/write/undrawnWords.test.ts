import { describe, expect, test } from "vitest";
import { undrawnWords, type DrawnWords } from "./undrawnWords.js";
import { withChanges } from "./wordChanges.js";

const drawn: DrawnWords = {
  calls: ["Cost"],
  flows: ["Orders"],
  request: "Order",
  fields: ["id", "score"],
  types: new Set(["Order", "Offer"]),
};
const found = (text: string, more: Partial<DrawnWords> = {}) =>
  undrawnWords(text, { ...drawn, ...more }).map(
    ({ kind, word, line, column }) => `${kind} ${word} ${line}:${column}`,
  );

describe("words of a handler that are not drawn", () => {
  test("are calls, flows and fields, with their places", () => {
    const text = [
      "penstock::Task<Offer> GetOrder::handle(const Order& request) {",
      "  const auto price = co_await calls.Price(request);",
      "  flows.Events.push(request); flows.Orders.push(request);",
      "  co_return Offer{.score = request.scor + (co_await calls.Cost(request)).value};",
      "}",
    ].join("\n");
    expect(found(text)).toEqual(["call Price 2:37", "flow Events 3:9", "field scor 4:36"]);
  });

  test("are those of a test's stubs as well", () =>
    expect(found("service.on(&shop::GetOrder::calls_type::Price, f);")).toEqual(["call Price 1:41"]));

  test("are every mention of the message that the handler was given", () =>
    expect(found("Offer A::handle(const shop::Item& request) {\n  Item copy = request; // Item\n}")).toEqual([
      "message Item 1:29",
      "message Item 2:3",
    ]));

  test("are not those in comments and literals", () =>
    expect(
      found('// calls.Price\n/* request.x */ auto s = "calls.Price"; auto r = R"(calls.Price)";'),
    ).toEqual([]));

  test("are not guessed where another variable has the name", () => {
    expect(found("auto f = [](const Other& request) { return request.anything; };")).toEqual([]);
    expect(
      found("std::vector<int> calls; calls.push_back(request.id); auto x = other.request.size();"),
    ).toEqual([]);
    expect(found("return request.x;", { fields: undefined })).toEqual([]);
  });

  test("are found in a long text of openings without an end", () => {
    for (const number of ["1.", "1'", "1'1.", "'1"])
      expect(found(`calls.Price; ${number.repeat(200_000)}`)).toEqual(["call Price 1:7"]);
    expect(found(`calls.Price; ${"/*".repeat(200_000)}`)).toEqual(["call Price 1:7"]);
    expect(found(`calls.Price; ${'R"('.repeat(100_000)}`)).toEqual(["call Price 1:7"]);
    expect(found(`calls.Price; a ${" ".repeat(500_000)}`)).toEqual(["call Price 1:7"]);
    for (const quote of ['"', "'"])
      expect(found(`calls.Price; ${quote}${`\\${quote}`.repeat(200_000)}`)).toEqual(["call Price 1:7"]);
  });

  test("are not those in a literal over two lines, and those after a literal without an end", () =>
    expect(
      found('a("calls.Price \\\n calls.Price"); b("calls.Price;\ncalls.Price; 1\'000 + calls.Price;'),
    ).toEqual(["call Price 3:7", "call Price 3:28"]));

  test("are those between a number with a quote in it and a literal", () =>
    expect(found("f(1'0*calls.Price+'a'); g(0x1'f'ff, calls.Price, 'b');")).toEqual([
      "call Price 1:13",
      "call Price 1:43",
    ]));

  test("are none in a file that is full of them", () => {
    expect(found("calls.Price;".repeat(1_000))).toHaveLength(1_000);
    expect(found("calls.Price;".repeat(1_001))).toEqual([]);
  });

  test("are replaced where they stand", () => {
    const text = "a(calls.Price); // calls.Price\nb(calls.Price);";
    const changes = undrawnWords(text, drawn).map((word) => ({ ...word, to: "Cost" }));
    expect(withChanges(text, changes)).toBe("a(calls.Cost); // calls.Price\nb(calls.Cost);");
  });
});
