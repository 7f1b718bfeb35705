import { connectDocument, documentStore } from "../../kernel/document/index.js";
import type { Feature } from "../../registry/feature.js";
import { ConflictDialog } from "./ConflictDialog.js";
import { documentServer } from "./documentServer.js";
import { exportTopology } from "./exportTopology.js";
import { followOtherSaves } from "./followOtherSaves.js";
import { goTo } from "./openProject.js";

export { Banners } from "./Banners.js";
export { follow, goTo, openedStore, restore } from "./openProject.js";
export { StartScreen } from "./StartScreen.js";

/** The projects of the workspace: which is open, and how it is saved. */
export const projects: Feature = {
  name: "projects",
  commands: [
    {
      name: "project.export",
      label: "Export topology.json",
      group: "project",
      when: () => documentStore.getState().projectId !== null,
      perform: exportTopology,
    },
    { name: "project.all", label: "All projects", group: "project", perform: () => goTo(null) },
  ],
  mounted: [ConflictDialog],
  follow: [() => connectDocument(documentServer), followOtherSaves],
};
