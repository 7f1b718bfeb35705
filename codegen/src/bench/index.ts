export * from "./benchProject.js";
export { readFigures } from "./figures.js";
