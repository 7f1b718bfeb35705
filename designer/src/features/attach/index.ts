import { documentStore } from "../../kernel/document/index.js";
import { projectStore } from "../../kernel/server/projectStore.js";
import { onProjectChange } from "../../kernel/server/projectState.js";
import type { Feature } from "../../registry/feature.js";
import { AttachDialog } from "./AttachDialog.js";
import { closeAttach, offeredAddress, openAttach } from "./attachStore.js";

/** Processes that something else started, by their control addresses. */
export const attach: Feature = {
  name: "attach",
  commands: [
    {
      name: "run.attach",
      label: "Attach a process that runs…",
      group: "run",
      when: () => projectStore.getState().project !== null,
      perform: () => {
        const { topology, selection } = documentStore.getState();
        openAttach(offeredAddress(topology, selection[0] ?? ""));
      },
    },
  ],
  follow: [() => onProjectChange(closeAttach)],
  mounted: [AttachDialog],
};
