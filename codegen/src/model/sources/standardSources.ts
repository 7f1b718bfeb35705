import file from "../../../../templates/sources/file/source.json" with { type: "json" };
import http from "../../../../templates/sources/http/source.json" with { type: "json" };
import rate from "../../../../templates/sources/rate/source.json" with { type: "json" };
import service from "../../../../templates/sources/service/source.json" with { type: "json" };
import type { SourceManifest, SourcePalette } from "./sourceManifest.js";

/**
 * The sources that come with Penstock, in the order of a palette: the one place where they are registered
 * in TypeScript. What the runtime's class of a kind is made with is said in `runtime-cpp/penstock/app/binding.hpp`, and a generated
 * `main()` registers it by `<kind>_flow` of `runtime-cpp/penstock/app.hpp`. Taken as they are, whole
 * as their schema would make them (a test says so): checking them was a part of opening the page.
 */
export const STANDARD_SOURCES: SourcePalette = new Map(
  ([rate, http, file, service] as unknown as SourceManifest[]).map((manifest) => [manifest.kind, manifest]),
);
