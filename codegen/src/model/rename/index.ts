export { ANY_PORT, exposeFollows } from "./expose.js";
export * from "./pools.js";
export * from "./remove.js";
export * from "./renameNodes.js";
export * from "./renameTypes.js";
