export * from "./sourceManifest.js";
export * from "./standardSources.js";
