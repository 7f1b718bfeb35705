export type { Fix } from "./rule/fix.js";
export { legalName, nameFault, type NameFault } from "./names/nameFault.js";
export { NAME_KINDS, NAME_PATTERNS, type NameKind } from "./names/patterns.js";
export { nameLists } from "./names/reserved.js";
export type { Rule } from "./rule/rule.js";
export { RULES, RUNNABLE_RULES } from "./rules/index.js";
export * from "./validate.js";
