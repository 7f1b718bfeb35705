import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findTests, rowsIn } from "./find-tests.mjs";
import { COVERED, FAULTS } from "./list.mjs";
import { faultsPage } from "./page.mjs";
import { readCtest, readVitest } from "./run-tests.mjs";

const repository = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

test("the list has every number once, in order", () => {
  expect([...FAULTS.keys()]).toEqual(Array.from({ length: 80 }, (_, at) => at + 1));
});

test("tests are found by the rows in their names, in both languages", () => {
  const text = `test("row 7: a \\"full\\" disk", () => {});\ntest("no arrow 8: here", () => {});\n`;
  expect(rowsIn("a.test.ts", text)).toEqual([{ row: 7, title: 'a "full" disk' }]);
  expect(rowsIn("a.test.cpp", "TEST_F(ServerTest, Fault17NamesABusyPort) {\n")).toEqual([
    { row: 17, title: "names a busy port" },
  ]);
});

test("every row that this version can meet has a test", () => {
  const found = new Set(findTests(repository).map(({ row }) => row));
  expect(COVERED.filter((row) => !found.has(row))).toEqual([]);
});

test("docs/faults.md has every row that this version can meet", () => {
  const page = readFileSync(path.join(repository, "docs", "faults.md"), "utf8");
  const shown = new Set([...page.matchAll(/^\| (\d+) +\|/gm)].map(([, row]) => Number(row)));
  expect(COVERED.filter((row) => !shown.has(row))).toEqual([]);
});

test("a row of the page links to its tests, with their titles made safe", () => {
  const page = faultsPage([{ row: 16, file: "codegen/src/a.test.ts", title: "a | b" }]);
  expect(page).toContain("| 16 | designer port busy | [a \\| b](../codegen/src/a.test.ts) |");
  expect(page).toContain("of these rows yet: 1, 2, 3,");
});

test("reports are read: filtered tests are left out, what failed or did not run is not ok", () => {
  const assertion = (fullName, status) => ({ fullName, status });
  const report = {
    testResults: [
      {
        assertionResults: [
          assertion(`disk row 7: full`, "passed"),
          assertion(`disk row 8: full`, "failed"),
          assertion("other", "pending"),
        ],
      },
    ],
  };
  expect(readVitest(report).map(({ row, ok }) => [row, ok])).toEqual([
    [7, true],
    [8, false],
  ]);
  const xml = `<testcase name="S.Fault17A" classname="x" status="run"/><testcase name="S.Fault18B" status="notrun"/>`;
  expect(readCtest(xml).map(({ row, ok }) => [row, ok])).toEqual([
    [17, true],
    [18, false],
  ]);
});
