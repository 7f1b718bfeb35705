export * from "./place.js";
export { sourceStack } from "./sourceStack.js";
