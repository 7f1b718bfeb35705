export * from "./addTo.js";
export { NotReadable, type LeftOut, type Renamed } from "./described.js";
export { nameOf as idlName } from "./idl/names.js";
export * from "./readers.js";
