export type { Fix } from "./fix.js";
export { legalName, nameFault, type NameFault } from "./names/nameFault.js";
export { NAME_KINDS, NAME_PATTERNS, type NameKind } from "./names/patterns.js";
export { nameLists } from "./names/reserved.js";
export type { Rule } from "./rule.js";
export { RULES, RUNNABLE_RULES } from "./rules/index.js";
export * from "./validate.js";
