import { LIMITS } from "./schema/limits.js";
import type { Topology } from "./schema/schema.js";

const BUNDLE = "Main";
const SUFFIX = "-server";

/** `my_shop` -> `my-shop-server`. */
const binaryName = (project: string): string =>
  project.slice(0, LIMITS.nameLength - SUFFIX.length).replace(/_+/g, "-") + SUFFIX;

/**
 * What a project begins with: nothing drawn, and a bundle with a binary that serves it, so that what is
 * drawn first can be run at once.
 */
export const newProject = (name: string): Topology => ({
  penstock: 1,
  name,
  messages: [],
  enums: [],
  services: [],
  flows: [],
  bundles: [{ name: BUNDLE, services: [], flows: [] }],
  binaries: [
    {
      name: binaryName(name),
      bundles: [BUNDLE],
      pools: [],
      placement: {},
      listen: [],
      control: "127.0.0.1:0",
    },
  ],
});
