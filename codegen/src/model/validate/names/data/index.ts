export { GLOBALS } from "./globals.js";
export { MACROS } from "./macros.js";
export { TEST_MACROS } from "./testMacros.js";
