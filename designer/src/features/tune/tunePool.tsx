import { SlidersHorizontal } from "lucide-react";
import type { PoolAction } from "../../registry/feature.js";
import { openTune } from "./tuneActions.js";

/** Opens the search for the size of a pool where the pool is shown. */
export const tunePool: PoolAction = {
  label: "Tune…",
  icon: <SlidersHorizontal size={14} strokeWidth={1.75} />,
  perform: openTune,
};
