export * from "./layout.js";
export { flameSvg } from "./svg.js";
