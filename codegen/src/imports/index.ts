export { NotReadable, type LeftOut, type Renamed } from "./described/described.js";
export { IMPORT_ENDINGS, isImported } from "./endings.js";
export { findAmong } from "./findAmong.js";
export { nameOf as idlName } from "./idl/names.js";
export { importFiles, type Import } from "./importFiles.js";
export { addsNothing, type ImportReport } from "./report.js";
