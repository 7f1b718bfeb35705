import { documentStore } from "../document/index.js";
import { projectStore } from "../server/projectState.js";
import { renameRunning } from "./liveStore.js";
import { keepModel } from "./names/drawnModels.js";
import { addRenames, drawnIs, onOtherRenames } from "./names/renamedSince.js";

/** Keeps the figures of what runs with what is drawn, whatever is renamed. Returns how to stop. */
export function followNames(): () => void {
  const note = () => {
    const { project, topologyHash, revision } = projectStore.getState();
    const drawn = documentStore.getState();
    // Only when what is drawn is what the server hashed.
    if (project !== null && drawn.save.state === "saved" && drawn.revision === revision) {
      drawnIs(project, topologyHash);
      if (topologyHash !== "") keepModel(topologyHash, drawn.topology);
    }
  };
  const stops = [
    onOtherRenames(renameRunning),
    projectStore.subscribe(note),
    documentStore.subscribe((state, before) => {
      const { projectId, names } = state;
      if (projectId !== null && projectId === before.projectId && names.length > before.names.length) {
        addRenames(projectId, names.slice(before.names.length));
        renameRunning();
      }
      note();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
