import type { Rule } from "../rule/rule.js";
import { BINARY_RULES } from "./binaries/index.js";
import { FLOW_RULES } from "./flows/index.js";
import { MESSAGE_RULES } from "./messages/index.js";
import { NAME_RULES } from "./names/index.js";
import { POOL_RULES } from "./pools/index.js";
import { SERVICE_RULES } from "./services/index.js";

export { RUNNABLE_RULES } from "./binaries/index.js";

/** Every rule of the format, in the order in which problems are shown. */
export const RULES: readonly Rule[] = [
  ...NAME_RULES,
  ...MESSAGE_RULES,
  ...SERVICE_RULES,
  ...FLOW_RULES,
  ...POOL_RULES,
  ...BINARY_RULES,
];
