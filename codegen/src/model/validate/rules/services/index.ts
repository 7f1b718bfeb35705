import type { Rule } from "../../rule/rule.js";
import { callsCannotDeadlock } from "./callsCannotDeadlock.js";
import { callsResolve } from "./callsResolve.js";
import { deadlinesAreInRange } from "./deadlinesAreInRange.js";
import { implementationsHideNothing } from "./implementationsHideNothing.js";
import { messagesOfServicesExist } from "./messagesOfServicesExist.js";
import { nodesFit } from "./nodesFit.js";
import { partitionsFit } from "./partitionsFit.js";

/** In the order in which problems are shown. */
export const SERVICE_RULES: readonly Rule[] = [
  messagesOfServicesExist,
  callsResolve,
  callsCannotDeadlock,
  deadlinesAreInRange,
  implementationsHideNothing,
  partitionsFit,
  nodesFit,
];
