export { LoadRefused, type LoadDriver } from "./driver.js";
export { FlowDriver } from "./flowDriver.js";
export { HttpDriver, type HttpLoad } from "./httpDriver.js";
export { keepInProject, keepReport, readInProject } from "./keepReport.js";
export { loadProblems } from "./loadProblems.js";
export { runLoad } from "./runLoad.js";
