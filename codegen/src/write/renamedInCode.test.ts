import { describe, expect, test } from "vitest";
import { cppTokens } from "./cppTokens.js";
import { addDeclared, type DeclaredNames } from "./declaredInCode.js";
import { renamedInCode } from "./renamedInCode.js";
import type { DrawnType, RenamedNames } from "./renamedNames.js";
import { withChanges } from "./wordChanges.js";

const type = (kind: DrawnType["kind"], to: string, members: Record<string, string> = {}): DrawnType => ({
  kind,
  to,
  members: new Map(Object.entries(members)),
});
const names: RenamedNames = {
  project: "shop",
  types: new Map([
    ["Order", type("message", "Purchase")],
    ["Item", type("message", "Item")],
    ["Tier", type("enum", "Level", { Gold: "Premium", Free: "Free" })],
    ["Colour", type("enum", "Colour", { Gold: "Yellow", Red: "Red" })],
  ]),
};

/** The text as it follows, and what is left of it. */
function followed(text: string, others: readonly string[] = [], more: Partial<RenamedNames> = {}) {
  const declared: DeclaredNames = { hidden: new Set(), aliases: new Set(), spaces: new Set() };
  for (const one of [text, ...others]) addDeclared(cppTokens(one), names, declared);
  const { changes, doubtful } = renamedInCode(cppTokens(text), { ...names, ...more }, declared);
  const left = doubtful.map(
    ({ word, meant }) => `${word}: ${meant.map(({ to, of }) => `${of}${of && "::"}${to}`).join(", ")}`,
  );
  return { text: withChanges(text, changes), left };
}
const inShop = (code: string): string => `namespace shop {\n${code}\n}  // namespace shop\n`;
/** What becomes of code in the namespace of the project. */
const within = (code: string, ...others: string[]): string => {
  const { text, left } = followed(inShop(code), others);
  expect(left).toEqual([]);
  return text.slice(inShop("").indexOf("\n") + 1, text.lastIndexOf("\n}"));
};
const leftOf = (code: string, ...others: string[]): string[] => {
  const { text, left } = followed(inShop(code), others);
  expect(text).toBe(inShop(code));
  return left;
};

describe("a renamed message or enum", () => {
  test("is followed where the code of the project's namespace says it", () => {
    expect(within("Task<Order> Ask::handle(const Order& order) { co_return Order{.id = 1}; }")).toBe(
      "Task<Purchase> Ask::handle(const Purchase& order) { co_return Purchase{.id = 1}; }",
    );
    expect(within("namespace {\nauto f = [](Order* a) -> Order { return *a; };\n}")).toBe(
      "namespace {\nauto f = [](Purchase* a) -> Purchase { return *a; };\n}",
    );
    expect(within("struct Order;\nusing List = std::vector<Order>;\nTier best(Tier a);")).toBe(
      "struct Purchase;\nusing List = std::vector<Purchase>;\nLevel best(Level a);",
    );
    expect(within("namespace detail { Order a() { return {}; } }")).toBe(
      "namespace detail { Purchase a() { return {}; } }",
    );
  });

  test("is followed elsewhere with the namespace before it, or a using", () => {
    expect(followed("template <> struct penstock::State<shop::Ask> { ::shop::Order last; };").text).toBe(
      "template <> struct penstock::State<shop::Ask> { ::shop::Purchase last; };",
    );
    expect(followed("using shop::Order;\nOrder a;\nshop::Tier b = shop::Tier::Gold;")).toEqual({
      text: "using shop::Purchase;\nPurchase a;\nshop::Level b = shop::Level::Premium;",
      left: [],
    });
    expect(followed("void f() { using namespace shop; Order a; }\nvoid g() { Order a; }")).toEqual({
      text: "void f() { using namespace shop; Purchase a; }\nvoid g() { Order a; }",
      left: ["Order: Purchase"],
    });
  });

  test("is no name of another namespace, class or object, and none in comments and literals", () => {
    for (const code of [
      "db::Order a; db::shop::Order b; ::Order c; std::Order d; Kind::Order;",
      'a.Order = b->Order; f({.Order = 1}); // Order\nconst char* text = "Order"; /* Order */',
      "Orders a; MyOrder b; Order_ c; Örder d; Orderé e;",
      "enum class Kind { Order, Item = 1 };",
    ])
      expect(within(code)).toBe(code);
    const others = "namespace db { struct Table { Order* order; }; }";
    expect(followed(others)).toEqual({ text: others, left: [] });
  });

  test("is left where the code has something of that name itself, in whatever file", () => {
    const use = "Order a;";
    for (const own of [
      "struct Outer { struct Order { int id; }; };",
      "class Order final {};",
      "using Order = int;",
      "typedef int Order;",
      "template <class Order> void f();",
      "enum Kind { Item, Order };",
      "int Order = 3;",
      "void f(int Order);",
      "auto [Order, b] = g();",
      "#define Order 3",
      "using db::Order;",
    ]) {
      expect.soft(leftOf(use, own), own).toEqual(["Order: Purchase"]);
      expect.soft(followed(`${own}\nshop::Order a;`).text, own).toContain("shop::Purchase a;");
    }
    expect(
      within("Order a;", "struct Purchases {}; using shop::Order; namespace shop { struct Order; }"),
    ).toBe("Purchase a;");
  });

  test("is left in another namespace that uses it, which may have its own", () =>
    expect(followed("namespace db { using namespace shop; Order a; shop::Order b; }")).toEqual({
      text: "namespace db { using namespace shop; Order a; shop::Purchase b; }",
      left: ["Order: Purchase"],
    }));

  test("is left outside of the namespace, in macros, and where brackets do not fit", () => {
    expect(followed("shop::Item shop::Ask::handle(const Order& order) { return {}; }").left).toEqual([
      "Order: Purchase",
    ]);
    expect(followed("namespace s = shop; s::Order a;").left).toEqual(["Order: Purchase"]);
    expect(leftOf("#define MAKE Order \\\n  {Tier::Gold}")).toEqual([
      "Order: Purchase",
      "Tier: Level",
      "Gold: Level::Premium",
    ]);
    expect(
      followed("namespace shop {\n#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\nOrder a; }"),
    ).toMatchObject({
      left: ["Order: Purchase"],
    });
  });

  test("is left while nobody knows what was generated last", () =>
    expect(followed(inShop("Order a;"), [], { isGenerated: false })).toEqual({
      text: inShop("Order a;"),
      left: ["Order: Purchase"],
    }));
});

describe("a renamed value of an enum", () => {
  test("is followed behind its enum, and behind no other", () => {
    expect(within("case Tier::Gold: return tier == shop::Tier::Gold ? Tier :: Free : f(Colour::Gold);")).toBe(
      "case Level::Premium: return tier == shop::Level::Premium ? Level :: Free : f(Colour::Yellow);",
    );
    for (const code of ["Metal::Gold; db::Colour::Gold; a.Gold; Gold; enum class Metal { Gold };"])
      expect(within(code)).toBe(code);
  });

  test("is left behind another name of the enum, in templates and without a name before it", () => {
    expect(followed("using T = shop::Colour;\nauto a = T::Gold;")).toEqual({
      text: "using T = shop::Colour;\nauto a = T::Gold;",
      left: ["Gold: Level::Premium, Colour::Yellow"],
    });
    expect(
      leftOf("template <typename T> bool is(T a) { return a == T::Gold || a == decltype(a)::Gold; }"),
    ).toEqual(["Gold: Level::Premium, Colour::Yellow", "Gold: Level::Premium, Colour::Yellow"]);
    expect(followed(inShop("void f() { using enum Colour; g(Gold, Red, a.Gold); }"))).toEqual({
      text: inShop("void f() { using enum Colour; g(Gold, Red, a.Gold); }"),
      left: ["Gold: Colour::Yellow"],
    });
    expect(followed(inShop("using Colour::Gold;\nauto a = Gold;"))).toEqual({
      text: inShop("using Colour::Yellow;\nauto a = Gold;"),
      left: ["Gold: Colour::Yellow"],
    });
  });
});

describe("a text that goes on and on", () => {
  const long = (piece: string, times = 40_000): string => inShop(`Order a; ${piece.repeat(times)}`);
  test.each([
    ["usings", "using "],
    ["enums", "enum {"],
    ["enumerators", "enum a {b,"],
    ["brackets", "("],
    ["names", "Order "],
    ["qualified names", "Tier::Gold::"],
    ["numbers", "1.1'"],
    ["directives", "\n#define Order Order"],
    ["typedefs", "typedef Order "],
    ["namespaces", "namespace a::b "],
  ])("of %s is read at once", (_, piece) => {
    const { text, left } = followed(long(piece));
    expect(text.length + left.length).toBeGreaterThan(40_000);
  });
});
