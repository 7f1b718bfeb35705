import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { documentOf, Penstock } from "./penstock.js";

const penstock = new Penstock();
afterAll(() => penstock.cleanUp());
const project = (): string => penstock.project("imports", { penstock: 1, name: "shop" });
const drawn = (dir: string): string => readFileSync(path.join(dir, "topology.json"), "utf8");
const write = (name: string, text: string): string => {
  const file = path.join(penstock.folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

test("draws what a file and those that it imports describe, and nothing before it is told to", async () => {
  const dir = project();
  const before = drawn(dir);
  write("lib/money/money.proto", 'syntax = "proto3"; package money; message Price { sint64 cents = 1; }');
  const file = write(
    "shop.proto",
    'syntax = "proto3"; package shop.v1; import "money/money.proto";\nmessage Ask { string what = 1; }\nservice Shop { rpc PriceOf(Ask) returns (money.Price); }\n',
  );
  const lib = path.join(penstock.folder, "lib");
  const unasked = await penstock.run(["import", file, dir, "-I", lib]);
  expect(unasked.code).toBe(2);
  expect(unasked.stdout).toContain("+ service PriceOf (shop.v1.Shop.PriceOf)\n");
  expect(drawn(dir)).toBe(before);

  const done = await penstock.run(["import", file, dir, "-I", lib, "--yes", "--json"]);
  expect(done.code).toBe(0);
  expect(documentOf(done)).toEqual({
    ok: true,
    problems: [],
    messages: [
      { from: "shop.v1.Ask", to: "Ask" },
      { from: "money.Price", to: "Price" },
    ],
    enums: [],
    services: [{ from: "shop.v1.Shop.PriceOf", to: "PriceOf" }],
    bundles: [{ from: "shop.v1.Shop", to: "Shop" }],
    kept: [],
    renamed: [],
    leftOut: [],
    notes: [],
  });
  const after = drawn(dir);
  expect(JSON.parse(after)).toMatchObject({
    messages: [
      { name: "Ask" },
      { name: "Price", fields: [{ name: "cents", type: "int64", tag: 1, encoding: "zigzag" }] },
    ],
    services: [{ name: "PriceOf", request: "Ask", response: "Price" }],
    bundles: [{ name: "Shop", services: ["PriceOf"] }],
  });
  expect((await penstock.run(["import", file, dir, "-I", lib])).code).toBe(0);
  expect(drawn(dir)).toBe(after);
});

test("what has no counterpart stops it, unless it may be left out", async () => {
  const dir = project();
  const before = drawn(dir);
  const file = write(
    "watch.proto",
    'syntax = "proto3";\nmessage A {}\nservice S {\n  rpc Get(A) returns (A);\n  rpc Watch(A) returns (stream A);\n}\n',
  );
  const stopped = await penstock.run(["import", file, dir, "--yes"]);
  expect(stopped.code).toBe(1);
  expect(stopped.stderr).toContain(`${file}:5: S.Watch: a stream`);
  expect(stopped.stderr).toMatch(/Nothing is changed\.\n$/);
  expect(drawn(dir)).toBe(before);
  const left = await penstock.run(["import", file, dir, "--yes", "--leave-out", "--json"]);
  expect(left.code).toBe(0);
  expect(documentOf(left)).toMatchObject({
    ok: true,
    leftOut: [{ name: "S.Watch", reason: "a stream", file, line: 5 }],
    problems: [
      { code: "PS981", severity: "warning", line: 5, help: "It is left out, as --leave-out asks for." },
    ],
  });
});

test("a file that is wrong, of another kind or not there is refused with its place", async () => {
  const dir = project();
  const wrong = write("wrong.proto", 'syntax = "proto3";\nmessage {');
  const refused = await penstock.run(["import", wrong, dir, "--yes"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("PS980");
  expect(refused.stderr).toContain(`${wrong}:2`);
  expect((await penstock.run(["import", write("a.txt", ""), dir])).code).toBe(2);
  expect((await penstock.run(["import", "none.proto", dir])).code).toBe(2);
  const long = `${"x".repeat(300)}.proto`;
  const absent = await penstock.run(["import", write("long.proto", `import "${long}";`), dir, "--yes"]);
  expect(absent.stderr).toContain(`imports ${long}, which is not found`);
  expect((await penstock.run(["import", long, dir])).code).toBe(2);
});
