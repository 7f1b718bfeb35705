import { documentStore } from "../../kernel/document/index.js";
import { onProjectChange } from "../../kernel/server/projectState.js";
import type { Feature } from "../../registry/feature.js";
import { tunePool } from "./tunePool.js";
import { runningPoolOf } from "./runningPoolOf.js";
import { closeTune, openTune } from "./tuneActions.js";
import { TuneDialog } from "./TuneDialog.js";

/** The running pool that is selected, or that runs the stage or service that is. */
const selectedPool = () => runningPoolOf(documentStore.getState().selection[0] ?? "");

/** Searching the best size of a pool. */
export const tune: Feature = {
  name: "tune",
  commands: [
    {
      name: "run.tune",
      label: "Tune the pool of the selected node",
      group: "run",
      when: () => selectedPool() !== undefined,
      perform: () => {
        const selected = selectedPool();
        if (selected) openTune(selected.binary, selected.pool);
      },
    },
  ],
  follow: [() => onProjectChange(closeTune)],
  poolActions: [tunePool],
  mounted: [TuneDialog],
};
