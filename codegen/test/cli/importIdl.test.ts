import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentOf, Penstock } from "./penstock.js";

/** An interface of FORB's IDL from its file to calls of a binary that serves it. */
const penstock = new Penstock();
let dir: string;
let idl: string;

const IDL = `module shop {
  // Something that is sold.
  struct item { int number; char label[16]; short sizes[3]; };
  interface prices {
    int of(in item what, out boolean reduced);
    int of(in int number);
    void swap(inout int a, inout item what);
    void forget();
  };
};
`;
const HANDLERS = {
  shop_prices_of: `ShopPricesOfResponse ShopPricesOf::handle(const ShopPricesOfRequest& request) {
  const ShopItem& what = request.what;
  const auto length = static_cast<std::int32_t>(what.label.size());
  return {.result = what.number + what.sizes[2] + length, .reduced = true};
}`,
  shop_prices_swap: `ShopPricesSwapResponse ShopPricesSwap::handle(const ShopPricesSwapRequest& request) {
  ShopPricesSwapResponse response{.a = request.what.number, .what = request.what};
  response.what.number = request.a;
  return response;
}`,
  shop_prices_forget: "void ShopPricesForget::handle(const ShopPricesForgetRequest&) {}",
};

interface Drawn {
  binaries: { name: string; bundles: string[] }[];
}

beforeAll(() => {
  dir = path.join(mkdtempSync(path.join(penstock.folder, "idl-")), "shop");
  idl = path.join(penstock.folder, "prices.idl");
  writeFileSync(idl, IDL);
});
afterAll(async () => {
  await penstock.run(["stop", dir]);
  await penstock.cleanUp();
});

test("an interface is imported, built and called", async () => {
  expect((await penstock.run(["init", dir, "--empty"])).code).toBe(0);
  const imported = await penstock.run(["import", idl, dir, "--yes", "--json"]);
  expect(documentOf(imported)).toMatchObject({
    ok: true,
    problems: [],
    services: [
      { from: "shop::prices::of", to: "ShopPricesOf" },
      { from: "shop::prices::of(int)", to: "ShopPricesOfInt" },
      { from: "shop::prices::swap", to: "ShopPricesSwap" },
      { from: "shop::prices::forget", to: "ShopPricesForget" },
    ],
    bundles: [{ from: "shop::prices", to: "ShopPrices" }],
    leftOut: [],
  });
  expect(documentOf(await penstock.run(["import", idl, dir, "--json"]))).toMatchObject({
    ok: true,
    services: [],
  });

  const file = path.join(dir, "topology.json");
  const drawn = JSON.parse(readFileSync(file, "utf8")) as Drawn;
  const [binary] = drawn.binaries;
  binary!.bundles.push("ShopPrices");
  writeFileSync(file, JSON.stringify(drawn));
  expect((await penstock.run(["generate", dir])).code).toBe(0);
  for (const [name, handler] of Object.entries(HANDLERS))
    writeFileSync(
      path.join(dir, "src", "services", `${name}.cpp`),
      `#include "services/${name}.hpp"\n\n#include <cstdint>\n\nnamespace shop {\n\n${handler}\n\n}  // namespace shop\n`,
    );
  const built = await penstock.run(["build", dir]);
  expect(built.stderr).not.toContain("warning");
  expect(built.code).toBe(0);
  const started = await penstock.run(["run", dir, "--detach"]);
  expect(started.code).toBe(0);

  const ask = (service: string, request: object) =>
    penstock.run(["call", `${binary!.name}/${service}`, JSON.stringify(request), "--project", dir, "--json"]);
  const what = { number: 21, label: "c29hcA==", sizes: [1, 2, 3] };
  expect(documentOf(await ask("ShopPricesOf", { what }))).toMatchObject({
    answer: { result: 28, reduced: true },
  });
  expect(documentOf(await ask("ShopPricesSwap", { a: 5, what }))).toMatchObject({
    answer: { a: 21, what: { number: 5, label: "c29hcA==", sizes: [1, 2, 3] } },
  });
  expect(documentOf(await ask("ShopPricesForget", {}))).toMatchObject({ ok: true, answer: {} });
  expect(documentOf(await ask("ShopPricesOfInt", { number: 1 }))).toMatchObject({
    ok: false,
    error: { code: "unimplemented" },
  });
}, 900_000);

test("what FORB has not is left out only if that is said", async () => {
  const foreign = path.join(penstock.folder, "colours.idl");
  writeFileSync(
    foreign,
    "enum Colour { RED };\ninterface paint { void dip(in int seconds); Colour last(); };\n",
  );
  const refused = await penstock.run(["import", foreign, dir, "--yes"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Colour: FORB\'s IDL has no "enum"');
  const taken = await penstock.run(["import", foreign, dir, "--yes", "--leave-out", "--json"]);
  expect(documentOf(taken)).toMatchObject({
    ok: true,
    services: [{ from: "paint::dip", to: "PaintDip" }],
    leftOut: [
      { name: "Colour", file: foreign, line: 1 },
      { name: "paint::last", file: foreign, line: 2 },
    ],
  });
  writeFileSync(foreign, "interface paint {\n  void dip(int seconds);\n};\n");
  const broken = await penstock.run(["import", foreign, dir, "--yes"]);
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain(`${foreign}:2: column 12: expected "in", "out" or "inout", found "int"`);
});
