// Writes docs/api.md from the contract: npx tsx codegen/tools/writeApiPage.ts
import { writeFileSync } from "node:fs";
import { apiPage } from "../src/contract/apiPage.js";

writeFileSync(new URL("../../docs/api.md", import.meta.url), apiPage());
