import type { Feature } from "../../registry/feature.js";
import { Inspector } from "./Inspector.js";

/** The properties of what is selected. */
export const inspector: Feature = { name: "inspector", right: { what: "The properties", Panel: Inspector } };
