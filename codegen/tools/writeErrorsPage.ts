// Writes docs/errors.md from the catalogue of codes: npx tsx codegen/tools/writeErrorsPage.ts
import { writeFileSync } from "node:fs";
import { errorsPage } from "../src/model/catalogue/index.js";

writeFileSync(new URL("../../docs/errors.md", import.meta.url), errorsPage());
