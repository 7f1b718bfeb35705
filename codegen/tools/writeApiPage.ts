// Writes docs/api.md, and the table of commands in docs/cli.md, from the contract:
// npx tsx codegen/tools/writeApiPage.ts
import { readFileSync, writeFileSync } from "node:fs";
import { apiPage, withCommandTable } from "../src/contract/apiPage.js";

const docs = (page: string): URL => new URL(`../../docs/${page}`, import.meta.url);
writeFileSync(docs("api.md"), apiPage());
writeFileSync(docs("cli.md"), withCommandTable(readFileSync(docs("cli.md"), "utf8")));
