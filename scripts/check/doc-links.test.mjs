import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { deadLinks, lostPaths } from "./doc-links.mjs";

test("a planted path that moved is found; those that stand, are a project's or are made are not", () => {
  const root = mkdtempSync(path.join(tmpdir(), "penstock-paths-"));
  try {
    mkdirSync(path.join(root, "runtime-cpp/penstock/app/rules"), { recursive: true });
    mkdirSync(path.join(root, "scripts/measure"), { recursive: true });
    writeFileSync(path.join(root, "runtime-cpp/penstock/app/rules/rate_rule.hpp"), "");
    const file = path.join(root, "a.md");
    writeFileSync(
      file,
      "`app/rules/rate_rule` `app/rules/*.hpp` `app/rules/rate_rule.hpp` `scripts/measure` `application/json`\n" +
        "`src/a.cpp` `build/kept` `scripts/dist/x` `app/rate_rule` `app/rules*.hpp` `scripts/gone` `app/rules/rate`\n",
    );
    expect(lostPaths(root, [file]).map(({ target }) => target)).toEqual([
      "app/rate_rule",
      "app/rules*.hpp",
      "scripts/gone",
      "app/rules/rate",
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("a planted dead link and a dead anchor are found, live ones are not", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-links-"));
  try {
    const file = path.join(folder, "a.md");
    writeFileSync(
      file,
      "# A title\n\n[x](gone.md) [y](#a-title) [z](#nowhere) [w](https://example.org/gone)\n```\n[c](code)\n```\n",
    );
    expect(deadLinks([file]).map(({ target }) => target)).toEqual(["gone.md", "#nowhere"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
