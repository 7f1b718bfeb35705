export { doubtfulProblem, drawnNames, nameInstead, notDrawnProblem } from "./drawnWords.js";
export { countsEvents } from "./planNodeSettings.js";
export { planProject } from "./planProject.js";
export { ERROR_CODE } from "./planTypes.js";
export type * from "./projectPlan.js";
export { followRenames, type Followed, type FollowedSource, type Rename } from "./followRenames.js";
