export { binaryFence } from "./binaryFence.js";
export { LogBook } from "./logBook.js";
export { doorsOf, type Door } from "./doors.js";
export { KEYS_FOLDER } from "./keysFolder.js";
export { processName } from "./processName.js";
export * from "./registry.js";
export * from "./stopRunning.js";
export * from "./supervisor.js";
