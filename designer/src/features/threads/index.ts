import { onceLoaded } from "../../kernel/ui/index.js";
import type { Feature } from "../../registry/feature.js";

const ThreadsView = onceLoaded(() => import("./ThreadsView.js").then((all) => all.ThreadsView));

/** The same model by CPU. */
export const threads: Feature = {
  name: "threads",
  view: { view: "threads", what: "The threads", View: ThreadsView },
};
