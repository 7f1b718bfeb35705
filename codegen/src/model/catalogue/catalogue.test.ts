import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../diagnostics/index.js";
import { RULES, RUNNABLE_RULES } from "../validate/index.js";
import { ALL_CODES, errorsPage } from "./index.js";

describe("docs/errors.md", () => {
  it("is as the rows make it (npx tsx codegen/tools/writePages.ts)", () => {
    const page = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8");
    expect(page).toBe(errorsPage());
    for (const code of Object.keys(ALL_CODES)) expect(page).toContain(`### ${code} `);
  });
});

describe("every code", () => {
  it("has one meaning, whoever reports it", () => {
    const rows = [CATALOGUE, ...[...RULES, ...RUNNABLE_RULES].map(({ codes }) => codes)].flatMap((codes) =>
      Object.entries(codes),
    );
    expect(rows.filter(([code, row]) => ALL_CODES[code] !== row).map(([code]) => code)).toEqual([]);
  });

  it("has a title, an explanation and a help", () => {
    for (const row of Object.values(ALL_CODES)) {
      expect(row.title).toMatch(/^\S.*[^.]$/);
      expect(row.explanation).toMatch(/\.$/);
      expect(row.help).toMatch(/\.$/);
    }
  });
});
