import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { sourceStack } from "./sourceStack.js";

test("a stack names places in sources where a map lies beside a file, and is left alone elsewhere", () => {
  const folder = mkdtempSync(join(tmpdir(), "penstock-stack-"));
  // The first character of the file stands for line 5, column 3 of its source.
  const map = { version: 3, sources: ["../src/main.ts"], names: [], mappings: "AAIE" };
  writeFileSync(join(folder, "main.js.map"), JSON.stringify(map));
  const file = (name: string): string => pathToFileURL(join(folder, name)).href;
  const stack = `Error: odd\n    at run (${file("main.js")}:1:7)\n    at ${file("other.js")}:2:3`;
  const source = new URL("../src/main.ts", file("main.js")).href;
  expect(sourceStack(stack)).toBe(`Error: odd\n    at run (${source}:5:3)\n    at ${file("other.js")}:2:3`);
  writeFileSync(join(folder, "main.js.map"), "damaged");
  expect(sourceStack(stack)).toBe(stack);
  rmSync(folder, { recursive: true });
});
