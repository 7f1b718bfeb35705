// Writes the sections of docs/nodes.md from the format and the manifests of the standard nodes: npx tsx codegen/tools/writeNodesPage.ts
import { readFileSync, writeFileSync } from "node:fs";
import { refreshed } from "../src/nodes/nodesPage.js";

const page = new URL("../../docs/nodes.md", import.meta.url);
writeFileSync(page, refreshed(readFileSync(page, "utf8")));
