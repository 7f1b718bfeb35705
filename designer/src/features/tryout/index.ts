import type { Feature } from "../../registry/feature.js";
import { tryLine } from "./tryStore.js";
import { TrySection } from "./TrySection.js";

/** Asking a service of the running binary once. */
export const tryout: Feature = {
  name: "tryout",
  sections: { service: TrySection },
  serviceMenu: tryLine,
};
