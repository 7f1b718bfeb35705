import { readFileSync } from "node:fs";

/** Penstock's version, from codegen's package.json. */
export function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
