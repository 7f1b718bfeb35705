export * from "./allCodes.js";
export * from "./errorsPage.js";
