import { readdirSync, readFileSync } from "node:fs";
import type { Brought } from "../../src/imports/findAmong.js";
import type { Language } from "../../src/imports/testing/spoil.js";

const folder = new URL("../", import.meta.url);

/** The files below a folder of codegen/test, by their paths. */
const filesIn = (part: string, ending: RegExp): Brought[] =>
  readdirSync(new URL(`${part}/`, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => ending.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(new URL(`${part}/${path}`, folder), "utf8") }));

/** Of googleapis and OpenTelemetry. */
export const PUBLIC_FILES: readonly Brought[] = filesIn("protos", /\.proto$/);

/** Files that others have written, and one that Penstock has. */
export const REAL_FILES: Readonly<Record<Language, readonly Brought[]>> = {
  proto: [...PUBLIC_FILES, ...filesIn("golden/all-types/generated", /\.proto$/)],
  idl: filesIn("idls", /\.(idl|forb)$/),
};
