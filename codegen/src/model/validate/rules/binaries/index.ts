import type { Rule } from "../../rule/rule.js";
import { addressesAreLegal } from "./addressesAreLegal.js";
import { binariesAreAlone } from "./binariesAreAlone.js";
import { bundlesResolve } from "./bundlesResolve.js";
import { calleesAreReachable } from "./calleesAreReachable.js";
import { discoveryFindsSomebody } from "./discoveryFindsSomebody.js";
import { everythingIsServed } from "./everythingIsServed.js";
import { exposedAreInProto } from "./exposedAreInProto.js";
import { exposedAreServed } from "./exposedAreServed.js";
import { httpIsDecided } from "./httpIsDecided.js";
import { livenessIsSound } from "./livenessIsSound.js";
import { replicasAreSound } from "./replicasAreSound.js";

export { NAMED_TWICE } from "./bundlesResolve.js";

/** In the order in which problems are shown. */
export const BINARY_RULES: readonly Rule[] = [
  addressesAreLegal,
  discoveryFindsSomebody,
  replicasAreSound,
  livenessIsSound,
  bundlesResolve,
  everythingIsServed,
  calleesAreReachable,
  exposedAreServed,
  exposedAreInProto,
  httpIsDecided,
];

/** What the format knows and the runtime cannot run yet: asked at generation only. */
export const RUNNABLE_RULES: readonly Rule[] = [binariesAreAlone];
