import { build, cancelBuild, generate, isIdle, run as runDrawn, stop } from "../../kernel/run/runActions.js";
import { anyOwnAlive, isBuilding, projectStore } from "../../kernel/server/projectStore.js";
import type { Feature } from "../../registry/feature.js";
import { BuildPanel } from "./BuildPanel.js";
import { followBuildProblems, frontFailed } from "./followFailures.js";
import { LogsPanel } from "./LogsPanel.js";
import { sayCrashes } from "./sayCrashes.js";

export { RunButtons } from "./RunButtons.js";
export { StatePill } from "./StatePill.js";

/** From the drawing to a binary that runs: generate, build, start, stop, and what they say. */
export const run: Feature = {
  name: "run",
  commands: [
    { name: "run.generate", label: "Generate", group: "run", when: isIdle, perform: generate },
    {
      name: "run.build",
      label: "Build",
      group: "run",
      shortcut: "Mod+Shift+B",
      everywhere: true,
      when: isIdle,
      perform: async () => void (await build()),
    },
    {
      name: "run.cancel",
      label: "Cancel the build",
      group: "run",
      when: () => isBuilding(projectStore.getState()),
      perform: cancelBuild,
    },
    {
      name: "run.run",
      label: "Run (build and start)",
      group: "run",
      shortcut: "F5",
      everywhere: true,
      when: isIdle,
      perform: runDrawn,
    },
    {
      name: "run.stop",
      label: "Stop",
      group: "run",
      shortcut: "Shift+F5",
      everywhere: true,
      when: () => anyOwnAlive(projectStore.getState()),
      perform: stop,
    },
  ],
  dock: [
    { tab: "build", label: "Build", what: "The build", busy: isBuilding, Panel: BuildPanel },
    { tab: "logs", label: "Logs", what: "The logs", Panel: LogsPanel },
  ],
  follow: [followBuildProblems, frontFailed, sayCrashes],
};
