import file from "../../../../templates/sources/file/source.json" with { type: "json" };
import http from "../../../../templates/sources/http/source.json" with { type: "json" };
import rate from "../../../../templates/sources/rate/source.json" with { type: "json" };
import service from "../../../../templates/sources/service/source.json" with { type: "json" };
import { sourceManifestSchema, type SourcePalette } from "./sourceManifest.js";

/**
 * The sources that come with Penstock, in the order of a palette: the one place where they are registered. The
 * runtime's class of a kind is registered in `runtime-cpp/penstock/app.hpp`, as `<kind>_flow`.
 */
export const STANDARD_SOURCES: SourcePalette = new Map(
  [rate, http, file, service].map((one) => {
    const manifest = sourceManifestSchema.parse(one);
    return [manifest.kind, manifest];
  }),
);
