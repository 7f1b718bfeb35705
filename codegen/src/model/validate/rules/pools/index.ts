import type { Rule } from "../../rule/rule.js";
import { everyPoolSteals } from "./everyPoolSteals.js";
import { joinsFitKind } from "./joinsFitKind.js";
import { joinsResolve } from "./joinsResolve.js";
import { placementsResolve } from "./placementsResolve.js";
import { poolsAreInRange } from "./poolsAreInRange.js";
import { presetRulesAreSound } from "./presetRulesAreSound.js";
import { presetsResolve } from "./presetsResolve.js";
import { weightsAreSound } from "./weightsAreSound.js";

/** In the order in which problems are shown. */
export const POOL_RULES: readonly Rule[] = [
  poolsAreInRange,
  everyPoolSteals,
  placementsResolve,
  weightsAreSound,
  joinsResolve,
  joinsFitKind,
  presetsResolve,
  presetRulesAreSound,
];
