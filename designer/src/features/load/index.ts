import { onceLoaded } from "../../kernel/ui/index.js";
import { isLoading, projectStore } from "../../kernel/server/projectStore.js";
import type { Feature } from "../../registry/feature.js";
import { stopLoad } from "./loadActions.js";

const LoadPanel = onceLoaded(() => import("./LoadPanel.js").then((all) => all.LoadPanel));

/** Load on what runs, and what came of it. */
export const load: Feature = {
  name: "load",
  commands: [
    {
      name: "run.load.stop",
      label: "Stop the load",
      group: "run",
      when: () => isLoading(projectStore.getState()),
      perform: stopLoad,
    },
  ],
  dock: [{ tab: "load", label: "Load", what: "The load", busy: isLoading, Panel: LoadPanel }],
};
