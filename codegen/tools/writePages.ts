// Writes what is made of the pages of docs/: npx tsx codegen/tools/writePages.ts
import { readFileSync, writeFileSync } from "node:fs";
import { apiPage, withCommandTable } from "../src/contract/apiPage.js";
import { errorsPage } from "../src/model/catalogue/index.js";
import { refreshed } from "../src/nodes/nodesPage.js";

/** What the text of a page becomes; those made whole do not look at it. */
const PAGES: Record<string, (page: string) => string> = {
  "api.md": apiPage,
  "cli.md": withCommandTable,
  "errors.md": errorsPage,
  "nodes.md": refreshed,
};

for (const [name, written] of Object.entries(PAGES)) {
  const page = new URL(`../../docs/${name}`, import.meta.url);
  writeFileSync(page, written(readFileSync(page, "utf8")));
}
