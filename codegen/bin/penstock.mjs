#!/usr/bin/env node
// The command line's door: runs the TypeScript sources, so that a clone needs no build step of its own.
import { register } from "tsx/esm/api";

register();
const { main } = await import("../src/cli/main.ts");
await main(process.argv.slice(2));
