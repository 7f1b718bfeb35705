import { MOST_REPLICAS } from "./limits.js";
import type { Binary } from "./schema.js";

/** How many processes of a binary a run starts; what is out of range is kept within it. */
export const replicasOf = (binary: Pick<Binary, "replicas"> | undefined): number =>
  Math.min(Math.max(binary?.replicas ?? 1, 1), MOST_REPLICAS);
