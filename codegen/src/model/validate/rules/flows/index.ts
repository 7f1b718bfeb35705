import type { Rule } from "../../rule/rule.js";
import { branchesDecide } from "./branchesDecide.js";
import { flowTypesMatch } from "./flowTypesMatch.js";
import { generatedEventsFit } from "./generatedEventsFit.js";
import { httpSourcesAreServed } from "./httpSourcesAreServed.js";
import { nodesInPlace } from "./nodesInPlace.js";
import { serviceSourcesAreFed } from "./serviceSourcesAreFed.js";
import { sourcesAreSound } from "./sourcesAreSound.js";
import { stageLinksResolve } from "./stageLinksResolve.js";
import { stagesResolve } from "./stagesResolve.js";

/** In the order in which problems are shown. */
export const FLOW_RULES: readonly Rule[] = [
  stagesResolve,
  stageLinksResolve,
  nodesInPlace,
  flowTypesMatch,
  branchesDecide,
  sourcesAreSound,
  generatedEventsFit,
  httpSourcesAreServed,
  serviceSourcesAreFed,
];
