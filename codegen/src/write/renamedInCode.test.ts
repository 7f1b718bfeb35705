import { describe, expect, test } from "vitest";
import { cppTokens } from "./cppTokens.js";
import { addDeclared, builtIn } from "./declaredInCode.js";
import { renamedInCode } from "./renamedInCode.js";
import type { DrawnType, RenamedNames } from "./renamedNames.js";
import { withChanges } from "./wordChanges.js";

const type = (
  kind: DrawnType["kind"],
  to: string,
  members: Record<string, string> = {},
  holds: Record<string, string> = {},
): DrawnType => ({
  kind,
  to,
  members: new Map(Object.entries(members)),
  holds: new Map(Object.entries(holds)),
});
const names: RenamedNames = {
  project: "shop",
  types: new Map([
    ["Order", type("message", "Purchase", { id: "number", item: "item", lot: "batch" }, { item: "Item" })],
    ["Item", type("message", "Item", { id: "id", title: "name", order: "order" }, { order: "Order" })],
    ["Tier", type("enum", "Level", { Gold: "Premium", Free: "Free" })],
    ["Colour", type("enum", "Colour", { Gold: "Yellow", Red: "Red" })],
  ]),
  isGenerated: true,
  calls: new Map([["Find", { takes: "Item", answers: "Order" }]]),
  flows: new Map([["Items", { takes: "Item", answers: undefined }]]),
};

/** The text as it follows, and what is left of it. */
function followed(text: string, others: readonly string[] = [], more: Partial<RenamedNames> = {}) {
  const declared = builtIn();
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
      "Task<Purchase> Ask::handle(const Purchase& order) { co_return Purchase{.number = 1}; }",
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

  test("is left where the code has something of its own of the new name, which would be meant instead", () => {
    for (const own of [
      "class Parser { enum class Purchase { Ok }; };",
      "template <class Purchase> void f();",
      "struct Purchase {};",
      "#define Purchase 1",
    ])
      expect.soft(leftOf("Order a;", own), own).toEqual(["Order: Purchase"]);
    expect(followed("shop::Order a;", ["struct Outer { struct Purchase {}; };"]).text).toBe(
      "shop::Purchase a;",
    );
  });

  test("is left in members of a class that inherits, wherever they are defined", () => {
    for (const code of [
      "void Own::run() { Order a; }",
      "void shop::Own::run() const { Order a; }",
      "void Own::run(Order a) {}",
      "Own::~Own() { Order a; }",
      "template <class T> void Any<T>::run() { Order a; }",
    ])
      expect.soft(leftOf(code, "struct Own final : db::Table {};"), code).toEqual(["Order: Purchase"]);
    expect(within("void Own::run() { Order a; }", "struct Own {};")).toBe("void Own::run() { Purchase a; }");
  });

  test("is left in a macro of several lines, however these end", () => {
    const code = "namespace shop {\r\n#define REGISTER(Tier, by) \\\r\n  add<Tier>(by)\r\n}\r\n";
    const { text, left } = followed(code);
    expect([text, left]).toEqual([code, ["Tier: Level", "Tier: Level"]]);
  });

  test("is left in another namespace that uses it, which may have its own", () =>
    expect(followed("namespace db { using namespace shop; Order a; shop::Order b; }")).toEqual({
      text: "namespace db { using namespace shop; Order a; shop::Purchase b; }",
      left: ["Order: Purchase"],
    }));

  test("is left in a class that may have one of its name from another", () => {
    expect(leftOf("struct Own final : db::Table { void f() { Order a; } };")).toEqual(["Order: Purchase"]);
    expect(within("struct Own final { void f() { Order a; } };")).toBe(
      "struct Own final { void f() { Purchase a; } };",
    );
  });

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

  test("is left with the namespace before it as well where it may be newer than what the code declares", () => {
    const code = "shop::Order a;";
    const own = "namespace shop { struct Order {}; }";
    const { text, left } = followed(code, [own], { isGenerated: false });
    expect([text, left]).toEqual([code, ["Order: Purchase"]]);
    expect(followed(code, [own]).text).toBe("shop::Purchase a;");
    expect(followed(code, [], { isGenerated: false }).text).toBe("shop::Purchase a;");
  });
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

/** What becomes of the body of a handler that is given an Order and answers with an Item. */
const body = (code: string): string => {
  const before = "Task<Item> Ask::handle(const Item& request) {";
  return within(`${before} ${code} }`).slice(before.length + 1, -2);
};
/** What is left of one, which becomes what it was. */
const leftOfBody = (code: string): string[] =>
  leftOf(`penstock::Task<Item> Ask::handle(const Item& request) { ${code} }`);

describe("a renamed field", () => {
  const name = ["title: Item::name"];
  const lot = ["lot: Purchase::batch"];

  test("is followed in what is made of the message before it", () => {
    expect(body("f(Item{.id = 1, .title = g(a), .order{.lot = 1, .item = {.title = 2}}});")).toBe(
      "f(Item{.id = 1, .name = g(a), .order{.batch = 1, .item = {.name = 2}}});",
    );
    expect(body("return Item{.id = 1}.title;")).toBe("return Item{.id = 1}.name;");
    expect(body("Item a{.title = 1}; const shop::Item b = {.title = 2}; a = {.title = 3};")).toBe(
      "Item a{.name = 1}; const shop::Item b = {.name = 2}; a = {.name = 3};",
    );
  });

  test("is followed in what a function returns", () => {
    expect(body("if (a) { co_return {.title = 1}; } for (;;) co_return {.title = 2};")).toBe(
      "if (a) { co_return {.name = 1}; } for (;;) co_return {.name = 2};",
    );
    expect(within("template <class T>\nstatic Item make(T a) noexcept { return {.title = a}; }")).toBe(
      "template <class T>\nstatic Item make(T a) noexcept { return {.name = a}; }",
    );
    expect(within("auto make = [](int a) -> Item { return {.title = a}; };")).toBe(
      "auto make = [](int a) -> Item { return {.name = a}; };",
    );
    expect(followed("shop::Item shop::make() { return {.title = 1}; }").text).toBe(
      "shop::Item shop::make() { return {.name = 1}; }",
    );
    expect(within("class Own {\n public: Item make() const { return {.title = 1}; }\n};")).toBe(
      "class Own {\n public: Item make() const { return {.name = 1}; }\n};",
    );
    for (const code of [
      "auto make() { return {.title = 1}; }",
      "std::optional<Item> make() { return {.title = 1}; }",
      "Kind f() { return g([] { return {.title = 1}; }); }",
      "Item f() { return g([](int a) { return {.title = a}; }); }",
      "Item f() { for (int a : b) c = [](int d) { return {.title = d}; }; }",
      "Item f() { for (int a : b) c = [&] { return {.title = d}; }; }",
      "Item f() { if (a) c = []<class T>(T d) noexcept(true) { return {.title = d}; }; }",
      "Item f() { struct Own { auto g() { return {.title = 1}; } }; }",
      "std::vector<Item> f() { return {{.title = 1}}; }",
    ])
      expect.soft(leftOf(code), code).toEqual(name);
  });

  test("is followed in what is declared with the message, also through other fields", () => {
    expect(body("return request.title + request.order.lot + request.order.item.title;")).toBe(
      "return request.name + request.order.batch + request.order.item.name;",
    );
    expect(
      body(
        "for (const Item& a : b) c(a.title); if (auto* d = g()) {} Item* e = g(); e->title = 1; e->order.lot;",
      ),
    ).toBe(
      "for (const Item& a : b) c(a.name); if (auto* d = g()) {} Item* e = g(); e->name = 1; e->order.batch;",
    );
    expect(
      body("auto a = Item{.id = 1}; a.title = 1; f([&a, request](Order b) { return a.title + b.lot; });"),
    ).toBe(
      "auto a = Item{.id = 1}; a.name = 1; f([&a, request](Order b) { return a.name + b.batch; });".replace(
        "Order",
        "Purchase",
      ),
    );
    expect(body("if (const Item& a = f(); a.id) {} else { b(a.title); }")).toBe(
      "if (const Item& a = f(); a.id) {} else { b(a.name); }",
    );
    expect(body("for (const Item& a : b) c = [](int d) { return d; }(1) + a.title;")).toBe(
      "for (const Item& a : b) c = [](int d) { return d; }(1) + a.name;",
    );
    expect(within("Ask::Ask(const Item& a) : b_(a.title), c_{a.title} { f(a.title); }")).toBe(
      "Ask::Ask(const Item& a) : b_(a.name), c_{a.name} { f(a.name); }",
    );
    expect(body("f(&Item::title); try {} catch (const Item& a) { f(a.title); }")).toBe(
      "f(&Item::name); try {} catch (const Item& a) { f(a.name); }",
    );
  });

  test("is followed in what is asked, answered and pushed", () => {
    expect(
      body(
        "const auto a = co_await calls.Find({.title = 1}); auto& b = calls.Find(request); flows.Items.push({.title = a.lot + b.lot});",
      ),
    ).toBe(
      "const auto a = co_await calls.Find({.name = 1}); auto& b = calls.Find(request); flows.Items.push({.name = a.batch + b.batch});",
    );
    for (const code of [
      "calls.Other({.title = 1});",
      "other.calls.Find({.title = 1});",
      "f(calls.Find(1), {.title = 1});",
      "flows.Items.pop({.title = 1});",
      "auto calls = f(); calls.Find({.title = 1});",
      "auto a = co_await calls.Find(1).then(b); a.title;",
      "auto a = f(calls.Find(1)); a.title;",
    ])
      expect.soft(leftOfBody(code), code).toEqual(name);
  });

  test("is none of a member that is initialised, whose parameter has its name", () => {
    const member =
      "struct Row { int id; };\nclass Cached { Row order; explicit Cached(const Order& order) : order";
    expect(followed(inShop(`${member}{.id = order.id} {} };`))).toEqual({
      text: inShop(`${member.replace("Order", "Purchase")}{.id = order.number} {} };`),
      left: ["id: Purchase::number"],
    });
  });

  test("is none of what is declared otherwise", () => {
    for (const code of [
      "penstock::Error& a = b; a.title; std::string c; c.title; int d; d.lot; Failure e; e.title;",
      "Item a; a.lot; a.id; a.order.title; Item{.lot = 1, .order = {.title = 1}};",
      "calls.lot; flows.title; request.lot(); request.title();",
      "f('.title', \".title\"); // a.title\n/* .lot */",
    ])
      expect.soft(body(code), code).toBe(code);
    const own = "struct Own { int title; };\nvoid f(Own a) { a.title = 1; }";
    expect(within(own)).toBe(own);
  });

  test.each([
    ["auto a = f();", "a.title"],
    ["const auto& a = request;", "a.title"],
    ["auto [a, b] = request;", "a.title"],
    ["Item* a = f();", "a.title"],
    ["Item** a = f();", "a->title"],
    ["std::vector<Item> a;", "a.title"],
    ["Own a;", "a.title"],
    ["db::Item a;", "a.title"],
    ["Item a[2];", "a[0].title"],
    ["int a;", "f().title"],
    ["int a;", "(*this).title"],
    ["int a;", "this->title"],
    ["int a;", "state.title"],
    ["{ Item a; }", "a.title"],
    ["for (const Item& a : b) {}", "a.title"],
    ["for (const Item& a : b) c(a);", "a.title"],
    ["f([](Item a) {});", "a.title"],
    ["if (const Item& a = f(); a.id) {} else {}", "a.title"],
    ["Item a; { int b, a = f();", "a.title; }"],
    ["Item a; for (int b = 0, a = f();;) {", "a.title; }"],
    ["struct Own { int b; }; db::Own a;", "a.title"],
    ["auto a = Item{.id = 1}.id;", "a.title"],
    ["Item a[] {", ".title = 1}"],
    ["for (const Item& a : {Item{.id = 1}})", "b.title"],
    ["Item a; { auto a = f();", "a.title; }"],
    ["Item a; f([a = g()] {", "a.title; });"],
    ["Item a; f([](auto a) {", "a.title; });"],
    ["auto a = f(); g([](const Item& a) {},", "a.title)"],
    ["auto a = f(); g([a = Item{.id = 1}] {},", "a.title)"],
    ["auto a = f(); std::function<int(const Item& a)> g = [&](int c) { return", "a.title; };"],
    ["auto a = f(); int g(const Item& a), b =", "a.title"],
    ["Item a; { decltype(b) a = f();", "a.title; }"],
    ["Item* a = f(); { Own b, *a = f();", "a->title; }"],
    ["Item a; for (Item& a : f()) for (auto [a, b] : g())", "a.title;"],
    ["Item a;\n#if A\nKind a;\n#endif\n", "a.title"],
    ["#if A\nKind a;\n#else\nItem a;\n#endif\n", "a.title"],
    ["Item a; f([a = g()](int b) {", "a.title; });"],
    ["Item a; for (auto const& [b, a] : f()) {", "a.title; }"],
    ["auto a = f(); for (Item& a : b) {} while (c) {", "a.title; }"],
    ["Item a; for (auto& [b, a] : f()) {", "a.title; }"],
    ["Item a; for (auto a : f())", "a.title;"],
    ["struct Own { Item a; void f() {", "a.title; } };"],
    ["struct Own { Own(const Item& a) : Base<int>(a) {} void f() {", "a.title; } };"],
    ["struct Own { int operator[](Item a) { return 1; } void f() {", "a.title; } };"],
  ])("is left where it is not known what it is of: %s %s", (before, access) => {
    expect(leftOfBody(`${before} ${access};`)).toEqual(name);
  });

  test("is left of a variable that is not the function's own", () => {
    expect(leftOf("Item a;\nvoid f() { a.title = 1; }")).toEqual(name);
    expect(leftOf('extern "C" {\nItem a;\nvoid f() { a.title = 1; }\n}')).toEqual(name);
    expect(leftOf("struct Own : Item { void f(); };\nvoid g(Own a) { a.title = 1; }")).toEqual(name);
    expect(leftOf("#define TITLE(a) a.title\n#define LOT a->lot")).toEqual([...name, ...lot]);
    expect(leftOf("using T = Item;\nvoid f(T a) { a.title = T::title; }")).toEqual([...name, ...name]);
  });

  test("is likely what is meant where no other message has one of its name", () => {
    const likely = (code: string): boolean[] => {
      const declared = builtIn();
      return renamedInCode(cppTokens(code), names, declared).doubtful.map(({ isLikely }) => isLikely);
    };
    expect([likely("a.title"), likely("a.id"), likely("Order a;")]).toEqual([[true], [false], [false]]);
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
    ["nested namespaces", "namespace a {"],
    ["nested names", "(a.a"],
    ["lambdas", "[](T a){}"],
    ["functions", "(T a)"],
    ["templates", "template <T {"],
    ["lists", "{.id = {"],
    ["members", "a.id."],
  ])("of %s is read at once", (_, piece) => {
    const { text, left } = followed(long(piece));
    expect(text.length + left.length).toBeGreaterThan(40_000);
  });
});
