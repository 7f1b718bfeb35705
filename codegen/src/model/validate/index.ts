export { legalName, nameFault, type NameFault } from "./names/nameFault.js";
export { NAME_KINDS, NAME_PATTERNS, type NameKind } from "./names/patterns.js";
export { nameLists } from "./names/reserved.js";
export type { Rule } from "./rule.js";
export { RULES } from "./rules/index.js";
export { RUNNABLE_RULES } from "./runnable.js";
export * from "./validate.js";
