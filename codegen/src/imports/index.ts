export * from "./addTo.js";
export { NotReadable, type LeftOut, type Renamed } from "./described.js";
export * from "./readers.js";
