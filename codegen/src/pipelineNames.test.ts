import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { putTopology, temporaryFolder, type Sketch } from "../test/support/project.js";
import { service } from "../test/support/services.js";
import { followHandlers, generateDrawn, generateProject, type Rename } from "./pipeline.js";
import type { Topology } from "./model/topology/index.js";
import { addPendingRenames } from "./workspace/kept/pendingRenames.js";
import { placeOf } from "./workspace/index.js";

/** What is drawn: the names of things by what they were first. */
interface Drawn {
  tier?: string;
  values?: string[];
  order?: string;
  fields?: string[];
  others?: string[];
}
const drawing = ({
  tier = "Tier",
  values = ["FREE", "GOLD"],
  order = "Order",
  fields = ["id", "tier"],
  others = [],
}: Drawn = {}): Sketch => ({
  penstock: 1,
  name: "shop",
  enums: [{ name: tier, values: values.map((name, number) => ({ name, number })) }],
  messages: [
    {
      name: order,
      fields: fields.map((name, at) => ({ name, tag: at + 1, type: at === 1 ? tier : "string" })),
    },
    { name: "Receipt", fields: [{ name: "id", tag: 1, type: "string" }] },
    {
      name: "Basket",
      fields: [
        { name: "first", tag: 1, type: order },
        { name: "last", tag: 2, type: order, optional: true },
      ],
    },
    ...others.map((name) => ({ name, fields: [{ name: "id", tag: 1, type: "string" }] })),
  ],
  services: [service("Ask", { request: order, response: "Receipt" })],
  bundles: [{ name: "All", services: ["Ask"] }],
  binaries: [{ name: "shop-server", bundles: ["All"] }],
});

const HANDLER = "src/services/ask.cpp";
const handler = (code: string): string =>
  `#include "services/ask.hpp"\n\nnamespace shop {\n\n${code}\n\n}  // namespace shop\n`;

/** A generated project below `dir` whose handler says `code`, and what else is the user's. */
async function shop(dir: string, code: string, more: Record<string, string> = {}): Promise<string> {
  const root = join(dir, "shop");
  mkdirSync(root);
  putTopology(root, drawing());
  expect(await generateProject(root)).toMatchObject({ ok: true, problems: [] });
  for (const [path, text] of Object.entries({ [HANDLER]: handler(code), ...more })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Draws it otherwise, as a save does that says what was renamed. */
async function renamed(root: string, drawn: Drawn, ...renames: Rename[]): Promise<Topology> {
  await addPendingRenames(placeOf(realpathSync(root)), renames, undefined);
  return putTopology(root, drawing(drawn));
}
const text = (root: string, path = HANDLER): string => readFileSync(join(root, path), "utf8");

describe("the user's code after a rename of", () => {
  test("an enum, its value and a message has their new names in all files", async () => {
    using folder = temporaryFolder();
    const root = await shop(
      folder.path,
      'Receipt Ask::handle(const Order& request) {\n  return {request.tier == Tier::GOLD ? "GOLD" : ""};\n}',
      {
        "src/services/ask.state.hpp":
          "#pragma once\ntemplate <>\nstruct penstock::State<shop::Ask> {\n  shop::Tier best = shop::Tier::GOLD;\n};\n",
        "tests/ask_test.cpp": "// mine\nauto order = shop::Order{.tier = shop::Tier::GOLD};\n",
      },
    );
    const topology = await renamed(
      root,
      { tier: "Level", values: ["FREE", "PREMIUM"], order: "Purchase" },
      { kind: "enum", from: "Tier", to: "Rank" },
      { kind: "value", from: "Rank/GOLD", to: "Rank/PREMIUM" },
      { kind: "message", from: "Order", to: "Purchase" },
      { kind: "enum", from: "Rank", to: "Level" },
    );
    expect(await followHandlers(root, topology)).toEqual({ problems: [], changes: [] });
    expect(await generateDrawn(root)).toMatchObject({ ok: true, problems: [] });
    expect(text(root)).toBe(
      handler(
        'Receipt Ask::handle(const Purchase& request) {\n  return {request.tier == Level::PREMIUM ? "GOLD" : ""};\n}',
      ),
    );
    expect(text(root, "src/services/ask.state.hpp")).toContain("shop::Level best = shop::Level::PREMIUM;");
    expect(text(root, "tests/ask_test.cpp")).toBe(
      "// mine\nauto order = shop::Purchase{.tier = shop::Level::PREMIUM};\n",
    );
    const again = await generateDrawn(root);
    expect([again.written, again.removed]).toEqual([[], []]);
  });

  test("the values of an enum that change places says each by its new name", async () => {
    using folder = temporaryFolder();
    const root = await shop(folder.path, "Tier a = Tier::GOLD, b = Tier::FREE;");
    await renamed(
      root,
      { values: ["GOLD", "FREE"] },
      { kind: "value", from: "Tier/GOLD", to: "Tier/SILVER" },
      { kind: "value", from: "Tier/FREE", to: "Tier/GOLD" },
      { kind: "value", from: "Tier/SILVER", to: "Tier/FREE" },
    );
    await generateDrawn(root);
    expect(text(root)).toBe(handler("Tier a = Tier::FREE, b = Tier::GOLD;"));
  });

  test("the project as well is in its new namespace", async () => {
    using folder = temporaryFolder();
    const root = await shop(folder.path, "shop::Tier a = ::shop::Tier::GOLD;");
    await addPendingRenames(
      placeOf(realpathSync(root)),
      [
        { kind: "value", from: "Tier/GOLD", to: "Tier/PREMIUM" },
        { kind: "project", from: "shop", to: "store" },
      ],
      undefined,
    );
    putTopology(root, { ...(drawing({ values: ["FREE", "PREMIUM"] }) as object), name: "store" } as Sketch);
    await generateDrawn(root);
    expect(text(root)).toBe(
      handler("store::Tier a = ::store::Tier::PREMIUM;").replaceAll("namespace shop", "namespace store"),
    );
  });

  test("what may be something else stays, and is said with its place before and after", async () => {
    using folder = temporaryFolder();
    const root = await shop(
      folder.path,
      "using T = Tier;\nconst Tier a = Tier::GOLD; const auto b = T::GOLD;",
    );
    const topology = await renamed(
      root,
      { values: ["FREE", "PREMIUM"] },
      {
        kind: "value",
        from: "Tier/GOLD",
        to: "Tier/PREMIUM",
      },
    );
    const said = {
      code: "PS710",
      severity: "warning",
      node: "service:Ask",
      file: HANDLER,
      line: 6,
      message: "The code of Ask says GOLD, and the value GOLD of Tier is PREMIUM now.",
      help: "Change it to PREMIUM where it is that of Tier.",
    };
    const { problems: before, changes } = await followHandlers(root, topology);
    expect(before).toEqual([expect.objectContaining({ ...said, column: 46 })]);
    expect(changes.map(({ after }) => after.split("\n")[5])).toEqual([
      "const Tier a = Tier::GOLD; const auto b = T::PREMIUM;",
    ]);
    const { ok, problems } = await generateDrawn(root);
    expect(ok).toBe(true);
    expect(problems).toEqual([expect.objectContaining({ ...said, column: 49 })]);
    expect(text(root).split("\n")[5]).toBe("const Tier a = Tier::PREMIUM; const auto b = T::GOLD;");
  });

  test("a field has its new name where its message is known, through messages of other names", async () => {
    using folder = temporaryFolder();
    const root = await shop(
      folder.path,
      "Receipt Ask::handle(const Order& request) {\n  Order copy = request;\n  return {.id = copy.id + request.id};\n}",
      { "tests/ask_test.cpp": "// mine\nauto order = shop::Order{.id = a.id};\n" },
    );
    const topology = await renamed(
      root,
      { order: "Purchase", fields: ["number", "tier"] },
      { kind: "field", from: "Order/id", to: "Order/key" },
      { kind: "message", from: "Order", to: "Purchase" },
      { kind: "field", from: "Purchase/key", to: "Purchase/number" },
    );
    const said = {
      code: "PS710",
      file: "tests/ask_test.cpp",
      line: 2,
      message: "The code of Ask says id, and the field id of Purchase is number now.",
      help: "Change it to number where it is that of Purchase.",
    };
    const before = await followHandlers(root, topology);
    expect(before).toMatchObject({ problems: [{ ...said, column: 34 }], changes: [] });
    expect((await generateDrawn(root)).problems).toMatchObject([{ ...said, column: 41 }]);
    expect(text(root)).toBe(
      handler(
        "Receipt Ask::handle(const Purchase& request) {\n  Purchase copy = request;\n  return {.id = copy.number + request.number};\n}",
      ),
    );
    expect(text(root, "tests/ask_test.cpp")).toBe("// mine\nauto order = shop::Purchase{.number = a.id};\n");
  });

  test("a field is known through fields that are its message, and no list or option of it", async () => {
    using folder = temporaryFolder();
    const code = "auto f(const Basket& a) { return a.first.id + a.last.id; }";
    const root = await shop(folder.path, code);
    await renamed(
      root,
      { fields: ["number", "tier"], order: "Purchase" },
      {
        kind: "message",
        from: "Order",
        to: "Purchase",
      },
      { kind: "field", from: "Purchase/id", to: "Purchase/number" },
    );
    expect((await generateDrawn(root)).problems).toMatchObject([{ line: 5, column: 58 }]);
    expect(text(root)).toBe(handler(code.replace("first.id", "first.number")));
  });

  test("a field is known in what a service is asked and answers, by its older name and by that of now", async () => {
    using folder = temporaryFolder();
    const asks = (to: string) =>
      `auto f(Ask a) { const auto b = co_await calls.${to}({.id = 1}); return b.id; }`;
    const root = await shop(folder.path, `${asks("Find")}\n${asks("Get")}\n${asks("Other")}`);
    const fields = ["number", "tier"];
    const services = ["Ask", "Get"].map((name) => service(name, { request: "Order", response: "Order" }));
    const bundles = [{ name: "All", services: ["Ask", "Get"] }];
    putTopology(root, { ...(drawing({ fields }) as object), services, bundles } as Sketch);
    const renames = [
      { kind: "field", from: "Order/id", to: "Order/number" },
      { kind: "service", from: "Find", to: "Get" },
    ] as const;
    const { problems } = await generateProject(root, { renames });
    expect(problems.map(({ line, column }) => `${line}:${column}`)).toEqual(["7:55", "7:74"]);
    const followed = [asks("Find"), asks("Get")].map((code) => code.replaceAll(".id", ".number"));
    expect(text(root)).toBe(handler([...followed, asks("Other")].join("\n")));
  });

  test("a field is offered where only it has that name, and is changed on a yes alone", async () => {
    using folder = temporaryFolder();
    const code =
      "Receipt Ask::handle(const Order& request) {\n  auto a = request; f(request.tier, a.tier, b.kind);\n}";
    const root = await shop(folder.path, code);
    const topology = await renamed(
      root,
      { fields: ["id", "level"] },
      {
        kind: "field",
        from: "Order/tier",
        to: "Order/level",
      },
    );
    const { problems, changes } = await followHandlers(root, topology);
    expect(problems).toMatchObject([{ line: 6, column: 39 }]);
    expect(changes).toEqual([
      { path: HANDLER, before: handler(code), after: handler(code.replace("a.tier", "a.level")) },
    ]);
    await generateDrawn(root);
    expect(text(root)).toBe(handler(code.replace("request.tier", "request.level")));
  });

  test("anything drawn is followed in the files beside those of nodes, but not in what waits or is a link", async () => {
    using folder = temporaryFolder();
    const ledger =
      "#pragma once\nnamespace shop {\ninline auto f(const Order& a, auto b) { return a.id + b.tier; }\n}\n";
    const others = {
      "src/ledger.hpp": ledger,
      "src/shared/deep/ledger.cpp": ledger,
      "tests/ledger_test.cpp": ledger,
    };
    const left = {
      "src/_detached/ledger.cpp": ledger,
      "src/notes.txt": ledger,
      "elsewhere/ledger.cpp": ledger,
    };
    const root = await shop(folder.path, "Order a;", { ...others, ...left });
    symlinkSync("../elsewhere", join(root, "src/linked"));
    symlinkSync("../elsewhere/ledger.cpp", join(root, "src/linked.cpp"));
    const renames = [
      { kind: "message", from: "Order", to: "Purchase" },
      { kind: "field", from: "Purchase/id", to: "Purchase/number" },
      { kind: "field", from: "Purchase/tier", to: "Purchase/level" },
      { kind: "project", from: "shop", to: "store" },
    ] as const;
    await addPendingRenames(placeOf(realpathSync(root)), renames, undefined);
    const drawn = drawing({ order: "Purchase", fields: ["number", "level"] });
    const topology = putTopology(root, { ...(drawn as object), name: "store" } as Sketch);
    const said = Object.keys(others).map((file) => ({
      message: `${file} says tier, and the field tier of Purchase is level now.`,
      file,
      line: 3,
    }));
    const { problems, changes } = await followHandlers(root, topology);
    expect([problems, changes]).toMatchObject([said, []]);
    expect(await generateDrawn(root)).toMatchObject({ ok: true, problems: said });
    const followed =
      "#pragma once\nnamespace store {\ninline auto f(const Purchase& a, auto b) { return a.number + b.tier; }\n}\n";
    expect(Object.keys(others).map((path) => text(root, path))).toEqual([followed, followed, followed]);
    expect(Object.keys(left).map((path) => text(root, path))).toEqual([ledger, ledger, ledger]);
  });

  test("what goes elsewhere, or waits from now on, is no file beside those of nodes", async () => {
    using folder = temporaryFolder();
    const root = await shop(folder.path, "Order a;");
    const drawn = drawing({ order: "Purchase" }) as { services: unknown };
    const renames = [
      { kind: "message", from: "Order", to: "Purchase" },
      { kind: "service", from: "Ask", to: "Tell" },
    ] as const;
    const tell = [service("Tell", { request: "Purchase", response: "Receipt" })];
    putTopology(root, { ...drawn, services: tell, bundles: [{ name: "All", services: ["Tell"] }] } as Sketch);
    expect(await generateProject(root, { renames })).toMatchObject({ ok: true, problems: [] });
    expect(text(root, "src/services/tell.cpp")).toContain("Purchase a;");
    const find = [service("Find", { request: "Order", response: "Receipt" })];
    putTopology(root, {
      ...(drawing() as object),
      services: find,
      bundles: [{ name: "All", services: ["Find"] }],
    } as Sketch);
    const back = [{ kind: "message", from: "Purchase", to: "Order" }] as const;
    expect(await generateProject(root, { renames: back })).toMatchObject({ ok: true, problems: [] });
    expect(text(root, "src/_detached/services/tell.cpp")).toContain("Purchase a;");
    expect(existsSync(join(root, "src/services/tell.cpp"))).toBe(false);
  });

  test("a field is none of a message that is new under the name of one that was renamed", async () => {
    using folder = temporaryFolder();
    const code = "std::string f(const Basket& b) { return b.first.id; }";
    const root = await shop(folder.path, code);
    const changed = drawing({ order: "Purchase", fields: ["number", "tier"], others: ["Order"] }) as {
      messages: { name: string; fields: { name: string; type: string }[] }[];
    };
    changed.messages[2]!.fields[0]!.type = "Order";
    const renames: Rename[] = [
      { kind: "message", from: "Order", to: "Purchase" },
      { kind: "field", from: "Purchase/id", to: "Purchase/number" },
    ];
    await addPendingRenames(placeOf(realpathSync(root)), renames, undefined);
    putTopology(root, changed as unknown as Sketch);
    expect(await generateDrawn(root)).toMatchObject({ ok: true });
    expect(text(root)).toContain(code);
  });

  test("anything is followed beside a file that is too long for code, which fails no generation", async () => {
    using folder = temporaryFolder();
    const root = await shop(folder.path, "Order a;", { "src/assets.hpp": "0,".repeat(8_500_000) });
    await renamed(root, { order: "Purchase" }, { kind: "message", from: "Order", to: "Purchase" });
    expect(await generateDrawn(root)).toMatchObject({ ok: true });
    expect(text(root)).toContain("Purchase a;");
  });

  test("a message leaves what another namespace has of its name to it", async () => {
    using folder = temporaryFolder();
    const code = "Receipt Ask::handle(const Order& request) {\n  return f(db::Order{}, request);\n}";
    const root = await shop(folder.path, code);
    const topology = await renamed(
      root,
      { order: "Purchase" },
      { kind: "message", from: "Order", to: "Purchase" },
    );
    expect(await followHandlers(root, topology)).toEqual({ problems: [], changes: [] });
    await generateDrawn(root);
    expect(text(root)).toBe(handler(code.replace("const Order", "const Purchase")));
    expect(await followHandlers(root, topology)).toEqual({ problems: [], changes: [] });
  });

  test("what was not generated yet cannot mean it", async () => {
    using folder = temporaryFolder();
    const root = await shop(folder.path, "Data a; Tier b = Tier::SILVER; int c = d.field;", {
      "src/data.hpp": "#pragma once\nnamespace shop {\nstruct Data {};\n}\n",
    });
    await renamed(
      root,
      { others: ["Answer"], values: ["FREE", "GOLD", "BRONZE"], fields: ["id", "tier", "note"] },
      { kind: "message", from: "Data", to: "Answer" },
      { kind: "value", from: "Tier/SILVER", to: "Tier/BRONZE" },
      { kind: "field", from: "Order/field", to: "Order/note" },
    );
    expect(await generateDrawn(root)).toMatchObject({ ok: true, problems: [] });
    expect(text(root)).toBe(handler("Data a; Tier b = Tier::SILVER; int c = d.field;"));
  });

  test("anything is followed before a first generation, but for what the code has itself", async () => {
    using folder = temporaryFolder();
    const root = await shop(folder.path, "Tier a = Tier::GOLD; shop::Data b; int c = d.id;", {
      "src/data.hpp": "#pragma once\nnamespace shop {\nstruct Data {};\n}\n",
    });
    rmSync(join(root, "generated"), { recursive: true });
    await renamed(
      root,
      { tier: "Level", values: ["FREE", "PREMIUM"], others: ["Answer"], fields: ["number", "tier"] },
      { kind: "enum", from: "Tier", to: "Level" },
      { kind: "value", from: "Level/GOLD", to: "Level/PREMIUM" },
      { kind: "message", from: "Data", to: "Answer" },
      { kind: "field", from: "Order/id", to: "Order/number" },
    );
    const { problems } = await generateDrawn(root);
    expect(problems.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
      `${HANDLER}:5 The code of Ask says Data, and the message Data is Answer now.`,
      `${HANDLER}:5 The code of Ask says id, and the field id of Order is number now.`,
      "src/data.hpp:3 src/data.hpp says Data, and the message Data is Answer now.",
    ]);
    expect(text(root)).toBe(handler("Level a = Level::PREMIUM; shop::Data b; int c = d.id;"));
  });

  test("what the code itself declares beside it is left to its author", async () => {
    using folder = temporaryFolder();
    const root = await shop(folder.path, "Order a; shop::Order b;", {
      "src/services/ask.state.hpp":
        "#pragma once\ntemplate <>\nstruct penstock::State<shop::Ask> {\n  struct Order {};\n  Order last;\n};\n",
    });
    await renamed(root, { order: "Purchase" }, { kind: "message", from: "Order", to: "Purchase" });
    const { problems } = await generateDrawn(root);
    expect(text(root)).toBe(handler("Order a; shop::Purchase b;"));
    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual([
      `${HANDLER}:5`,
      "src/services/ask.state.hpp:4",
      "src/services/ask.state.hpp:5",
    ]);
  });
});
