import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { deadLinks, documentsOf } from "./doc-links.mjs";

const repository = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

test("every link in README, CONTRIBUTING and docs leads somewhere", () => {
  const documents = documentsOf(repository);
  expect(documents.length).toBeGreaterThan(5);
  const dead = deadLinks(documents).map(
    ({ file, target }) => `${path.relative(repository, file)}: ${target}`,
  );
  expect(dead).toEqual([]);
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
