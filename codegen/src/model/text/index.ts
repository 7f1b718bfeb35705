export * from "./position.js";
export * from "./utf8.js";
export * from "./shellWord.js";
