import path from "node:path";
import { fileURLToPath } from "node:url";

/** The clone this code runs from: examples, templates, the built runtime and designer are found in it. */
export const repositoryRoot = fileURLToPath(new URL("../../../", import.meta.url)).replace(/\/$/, "");
export const examplesDir = path.join(repositoryRoot, "examples");
export const designerDir = path.join(repositoryRoot, "designer", "dist");
export const runtimeRoot = path.join(repositoryRoot, "build", "runtime");
export const runtimePrefix = (preset: string): string => path.join(runtimeRoot, preset, "prefix");
