import { useStore } from "zustand";
import { projectStore, type ProjectState } from "./projectState.js";

/** What stands there needs no React: the drawing and the live figures read it without this file. */
export * from "./projectState.js";

export const useProject = <T>(selector: (state: ProjectState) => T): T => useStore(projectStore, selector);
