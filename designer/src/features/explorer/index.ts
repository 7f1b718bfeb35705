import type { Feature } from "../../registry/feature.js";
import { find } from "./search.js";
import { LeftPanel } from "./LeftPanel.js";

/** What the project has as a tree, and what can be added to it. */
export const explorer: Feature = {
  name: "explorer",
  left: { what: "The project", Panel: LeftPanel },
  commands: [
    { name: "go.find", label: "Find in the project", group: "go", shortcut: ["Mod+F", "/"], perform: find },
  ],
};
