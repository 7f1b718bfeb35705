import type { Feature } from "../../registry/feature.js";
import { LiveOverlay } from "./LiveOverlay.js";

/** The figures of what runs, on the drawing. */
export const overlay: Feature = { name: "overlay", Layer: LiveOverlay };
