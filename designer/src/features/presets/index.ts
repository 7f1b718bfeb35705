import type { Feature } from "../../registry/feature.js";
import { PresetsSection } from "./PresetsSection.js";

/** Threads and joins of a binary, kept under names. */
export const presets: Feature = { name: "presets", sections: { binary: PresetsSection } };
