import type { Feature } from "../../registry/feature.js";
import { JoinPopover } from "./JoinPopover.js";
import { JoinSection } from "./JoinSection.js";

/** What stands before a stage: nothing, a pool, threads of its own. */
export const joins: Feature = {
  name: "joins",
  sections: { stage: JoinSection },
  popups: { join: JoinPopover },
};
