export * from "./catalogue/catalogue.js";
export * from "./environment.js";
export * from "./pointer.js";
export * from "./problem.js";
export * from "./quote.js";
export * from "./suggest.js";
