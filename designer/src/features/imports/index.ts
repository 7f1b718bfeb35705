import { documentStore } from "../../kernel/document/index.js";
import type { Feature } from "../../registry/feature.js";
import { mayDescribe, pickFiles } from "./broughtFiles.js";
import { ImportDialog } from "./ImportDialog.js";
import { bringDropped, bringFiles } from "./importStore.js";

/** What others have described (`.proto`, IDL) comes into the drawing. */
export const imports: Feature = {
  name: "imports",
  commands: [
    {
      name: "project.import",
      label: "Import .proto or IDL…",
      group: "project",
      when: () => documentStore.getState().projectId !== null && !documentStore.getState().readOnly,
      perform: () => pickFiles((brought) => void bringFiles(brought)),
    },
  ],
  mounted: [ImportDialog],
  dropped: (data) => {
    if (!mayDescribe(data)) return false;
    void bringDropped(data);
    return true;
  },
};
