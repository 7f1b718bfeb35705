import { isBuilding, isMeasuring, projectStore } from "../server/projectStore.js";

/** Nothing is being built or measured, so a build can begin. */
export const isIdle = (): boolean => {
  const state = projectStore.getState();
  return !isBuilding(state) && !isMeasuring(state);
};
