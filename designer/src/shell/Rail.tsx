import {
  Activity,
  Braces,
  Code,
  Cpu,
  ListTree,
  Moon,
  Settings,
  SlidersHorizontal,
  Sun,
  Terminal,
} from "lucide-react";
import { runCommand } from "../registry/commands.js";
import { setDockTab, setView, useWorkbench } from "../kernel/document/index.js";
import { isDark, IconButton, Menu, setTheme, themeStore } from "../kernel/ui/index.js";
import { useStore } from "zustand";
import { frameStore, toggleDock, toggleLeft, toggleProperties } from "../registry/frameStore.js";
import { useNarrow } from "./useNarrow.js";

const ICON = { size: 17, strokeWidth: 1.75 };

export function Rail() {
  const view = useWorkbench((state) => state.view);
  const dockTab = useWorkbench((state) => state.dockTab);
  const leftOpen = useStore(frameStore, (state) => state.left);
  const dockOpen = useStore(frameStore, (state) => state.dock);
  const theme = useStore(themeStore, (state) => state.theme);
  const dock = (tab: "logs" | "metrics") => () => {
    if (dockOpen && dockTab === tab) return toggleDock();
    setDockTab(tab);
    if (!dockOpen) toggleDock();
  };
  const narrow = useNarrow();
  const properties = useStore(frameStore, (state) => state.properties) && narrow;
  const dark = isDark();
  return (
    <nav className="rail" aria-label="Tools">
      <IconButton
        side="right"
        label="Project and palette"
        icon={<ListTree {...ICON} />}
        pressed={leftOpen && !properties}
        onClick={() => (properties ? frameStore.setState({ properties: false, left: true }) : toggleLeft())}
      />
      {narrow && (view === "flow" || view === "threads") ? (
        <IconButton
          side="right"
          label="Properties"
          icon={<SlidersHorizontal {...ICON} />}
          pressed={properties}
          onClick={toggleProperties}
        />
      ) : null}
      <IconButton
        side="right"
        label="Messages"
        icon={<Braces {...ICON} />}
        pressed={view === "messages"}
        onClick={() => setView("messages")}
      />
      <IconButton
        side="right"
        label="Threads"
        icon={<Cpu {...ICON} />}
        pressed={view === "threads"}
        onClick={() => setView("threads")}
      />
      <IconButton
        side="right"
        label="Code"
        icon={<Code {...ICON} />}
        pressed={view === "code"}
        onClick={() => setView("code")}
      />
      <IconButton
        side="right"
        label="Logs"
        icon={<Terminal {...ICON} />}
        pressed={dockOpen && dockTab === "logs"}
        onClick={dock("logs")}
      />
      <IconButton
        side="right"
        label="Metrics"
        icon={<Activity {...ICON} />}
        pressed={dockOpen && dockTab === "metrics"}
        onClick={dock("metrics")}
      />
      <div className="rail-gap" />
      <IconButton
        side="right"
        label={dark ? "Light theme" : "Dark theme"}
        icon={dark ? <Moon {...ICON} /> : <Sun {...ICON} />}
        onClick={() => setTheme(dark ? "light" : "dark")}
      />
      <Menu
        trigger={
          <button type="button" className="icon-btn" aria-label="Settings">
            <Settings {...ICON} />
          </button>
        }
        items={[
          { heading: "Theme" },
          {
            label: "As the system",
            shortcut: theme === "system" ? "✓" : "",
            onSelect: () => setTheme("system"),
          },
          { label: "Dark", shortcut: theme === "dark" ? "✓" : "", onSelect: () => setTheme("dark") },
          { label: "Light", shortcut: theme === "light" ? "✓" : "", onSelect: () => setTheme("light") },
          "separator",
          { label: dockOpen ? "Hide the dock" : "Show the dock", onSelect: toggleDock },
          { label: "Keyboard and mouse", shortcut: "?", onSelect: () => void runCommand("go.keys") },
          { label: "Import .proto or IDL…", onSelect: () => void runCommand("project.import") },
          { label: "Export topology.json", onSelect: () => void runCommand("project.export") },
          "separator",
          { label: leftOpen ? "Hide the project panel" : "Show the project panel", onSelect: toggleLeft },
        ]}
      />
    </nav>
  );
}
