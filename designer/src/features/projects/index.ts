import { printTopology } from "@penstock/codegen/topology";
import { connectDocument, documentStore } from "../../kernel/document/index.js";
import { saveFile } from "../../kernel/ui/handOver.js";
import type { Feature } from "../../registry/feature.js";
import { ConflictDialog } from "./ConflictDialog.js";
import { documentServer } from "./documentServer.js";
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
      // Byte for byte as it is on disk once saved.
      perform: () =>
        saveFile("topology.json", printTopology(documentStore.getState().topology), "application/json"),
    },
    { name: "project.all", label: "All projects", group: "project", perform: () => goTo(null) },
  ],
  mounted: [ConflictDialog],
  follow: [() => connectDocument(documentServer), followOtherSaves],
};
