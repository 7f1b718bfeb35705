import type { Feature } from "../../registry/feature.js";
import { ThreadsView } from "./ThreadsView.js";

/** The same model by CPU. */
export const threads: Feature = {
  name: "threads",
  view: { view: "threads", what: "The threads", View: ThreadsView },
};
