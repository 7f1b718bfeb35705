import { cancelMeasuring, measure } from "../features/bench/benchActions.js";
import { stopLoad } from "../features/load/loadActions.js";
import { registerCommand, type Command } from "../registry/commands.js";
import { documentStore, setDockTab } from "../kernel/document/index.js";
import { anyAlive, isBuilding, isLoading, isMeasuring, projectStore } from "../kernel/server/projectStore.js";
import { openTune } from "../features/tune/tuneActions.js";
import { runningPoolOf } from "../features/tune/runningPoolOf.js";
import { isDark, setTheme } from "../kernel/ui/index.js";
import { exportTopology } from "../features/projects/exportTopology.js";
import { openDock, toggleDock, toggleLeft } from "../registry/frameStore.js";
import { goTo } from "../features/projects/openProject.js";
import { build, cancelBuild, generate, run, stop } from "../kernel/run/runActions.js";

const state = projectStore.getState;
const idle = (): boolean => !isBuilding(state()) && !isMeasuring(state());
/** The one service that is selected. */
const selectedService = (): string | undefined => {
  const { selection } = documentStore.getState();
  const [ref = ""] = selection.length === 1 ? selection : [];
  return ref.startsWith("service:") ? ref.slice("service:".length) : undefined;
};
/** The running pool that is selected, or that runs the stage or service that is. */
const selectedPool = () => runningPoolOf(documentStore.getState().selection[0] ?? "");
const showTab = (tab: Parameters<typeof setDockTab>[0]) => () => {
  openDock();
  setDockTab(tab);
};

const COMMANDS: Command[] = [
  { name: "run.generate", label: "Generate", group: "run", when: idle, perform: generate },
  {
    name: "run.build",
    label: "Build",
    group: "run",
    shortcut: "Mod+Shift+B",
    everywhere: true,
    when: idle,
    perform: async () => void (await build()),
  },
  {
    name: "run.cancel",
    label: "Cancel the build",
    group: "run",
    when: () => isBuilding(state()),
    perform: cancelBuild,
  },
  {
    name: "run.run",
    label: "Run (build and start)",
    group: "run",
    shortcut: "F5",
    everywhere: true,
    when: idle,
    perform: run,
  },
  {
    name: "run.stop",
    label: "Stop",
    group: "run",
    shortcut: "Shift+F5",
    everywhere: true,
    when: () => anyAlive(state()),
    perform: stop,
  },
  { name: "run.bench", label: "Run the benchmarks", group: "run", when: idle, perform: () => measure() },
  {
    name: "run.bench.service",
    label: "Run the benchmark of the selected service",
    group: "run",
    when: () => idle() && selectedService() !== undefined,
    perform: () => measure(selectedService()),
  },
  {
    name: "run.bench.cancel",
    label: "Cancel the benchmarks",
    group: "run",
    when: () => isMeasuring(state()),
    perform: cancelMeasuring,
  },
  {
    name: "run.load.stop",
    label: "Stop the load",
    group: "run",
    when: () => isLoading(state()),
    perform: stopLoad,
  },
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
  {
    name: "project.export",
    label: "Export topology.json",
    group: "project",
    when: () => documentStore.getState().projectId !== null,
    perform: exportTopology,
  },
  { name: "project.all", label: "All projects", group: "project", perform: () => goTo(null) },
];

/** What the frame can do, for the command palette and the keys. Returns how to take it away. */
export function registerShellCommands(): () => void {
  const undo = COMMANDS.map(registerCommand);
  return () => {
    for (const take of undo) take();
  };
}
