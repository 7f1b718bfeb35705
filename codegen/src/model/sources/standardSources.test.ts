import { expect, it } from "vitest";
import { sourceManifestSchema } from "./sourceManifest.js";
import { STANDARD_SOURCES } from "./standardSources.js";

it("has the standard sources as their schema makes them, nothing left to be filled in", () => {
  expect([...STANDARD_SOURCES.keys()]).toEqual(["rate", "http", "file", "service"]);
  for (const manifest of STANDARD_SOURCES.values())
    expect(sourceManifestSchema.parse(manifest)).toStrictEqual(manifest);
});
