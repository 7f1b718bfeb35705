import type { Rule } from "../../rule/rule.js";
import { namesAreLegal } from "./namesAreLegal.js";
import { namesAreUnique } from "./namesAreUnique.js";
import { textsAreShort } from "./textsAreShort.js";

export { NAMES_COLLIDE } from "./namesAreUnique.js";

/** In the order in which problems are shown. */
export const NAME_RULES: readonly Rule[] = [textsAreShort, namesAreLegal, namesAreUnique];
