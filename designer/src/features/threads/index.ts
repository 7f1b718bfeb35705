import { lazy } from "react";
import type { Feature } from "../../registry/feature.js";

const ThreadsView = lazy(() => import("./ThreadsView.js").then((all) => ({ default: all.ThreadsView })));

/** The same model by CPU. */
export const threads: Feature = {
  name: "threads",
  view: { view: "threads", what: "The threads", View: ThreadsView },
};
