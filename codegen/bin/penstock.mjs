#!/usr/bin/env node
// The command line's door: starts what set-up built of codegen/src, which nothing transpiles on its way.
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { builtEntry } from "./built.mjs";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const { main } = await import(pathToFileURL(await builtEntry(root)).href);
await main(process.argv.slice(2));
