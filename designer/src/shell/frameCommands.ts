import { setDockTab, type DockTab } from "../kernel/document/index.js";
import { isDark, setTheme } from "../kernel/ui/index.js";
import type { Command } from "../registry/commands.js";
import { openDock, toggleDock, toggleLeft } from "../registry/frameStore.js";

const showTab = (tab: DockTab) => () => {
  openDock();
  setDockTab(tab);
};

/** What the frame itself can do. */
export const frameCommands: readonly Command[] = [
  {
    name: "view.theme",
    label: "Switch between dark and light",
    group: "view",
    perform: () => setTheme(isDark() ? "light" : "dark"),
  },
  {
    name: "view.theme.system",
    label: "Theme as the system",
    group: "view",
    perform: () => setTheme("system"),
  },
  {
    name: "view.left",
    label: "Show or hide the project panel",
    group: "view",
    shortcut: "Mod+B",
    perform: toggleLeft,
  },
  {
    name: "view.dock",
    label: "Show or hide the dock",
    group: "view",
    shortcut: "Mod+J",
    perform: toggleDock,
  },
  { name: "go.problems", label: "Problems", group: "go", perform: showTab("problems") },
  { name: "go.build", label: "Build output", group: "go", perform: showTab("build") },
  { name: "go.logs", label: "Logs", group: "go", perform: showTab("logs") },
  { name: "go.metrics", label: "Metrics", group: "go", perform: showTab("metrics") },
  { name: "go.trace", label: "Trace of an event", group: "go", perform: showTab("trace") },
  { name: "go.bench", label: "Benchmarks", group: "go", perform: showTab("bench") },
  { name: "go.load", label: "Load", group: "go", perform: showTab("load") },
];
