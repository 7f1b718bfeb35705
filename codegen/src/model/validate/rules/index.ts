import type { Rule } from "../rule.js";
import { addressesAreLegal } from "./addressesAreLegal.js";
import { binariesAreAlone } from "./binariesAreAlone.js";
import { branchesDecide } from "./branchesDecide.js";
import { bundlesResolve } from "./bundlesResolve.js";
import { calleesAreReachable } from "./calleesAreReachable.js";
import { callsCannotDeadlock } from "./callsCannotDeadlock.js";
import { callsResolve } from "./callsResolve.js";
import { deadlinesAreInRange } from "./deadlinesAreInRange.js";
import { enumsFollowProto3 } from "./enumsFollowProto3.js";
import { everythingIsServed } from "./everythingIsServed.js";
import { fieldsHaveOneShape } from "./fieldsHaveOneShape.js";
import { fieldTypesExist } from "./fieldTypesExist.js";
import { flowTypesMatch } from "./flowTypesMatch.js";
import { generatedEventsFit } from "./generatedEventsFit.js";
import { httpSourcesAreServed } from "./httpSourcesAreServed.js";
import { implementationsHideNothing } from "./implementationsHideNothing.js";
import { joinsFitKind } from "./joinsFitKind.js";
import { joinsResolve } from "./joinsResolve.js";
import { messagesAreFinite } from "./messagesAreFinite.js";
import { messagesAreSmall } from "./messagesAreSmall.js";
import { messagesOfServicesExist } from "./messagesOfServicesExist.js";
import { namesAreLegal } from "./namesAreLegal.js";
import { namesAreUnique } from "./namesAreUnique.js";
import { nodesFit } from "./nodesFit.js";
import { nodesInPlace } from "./nodesInPlace.js";
import { partitionsFit } from "./partitionsFit.js";
import { placementsResolve } from "./placementsResolve.js";
import { poolsAreInRange } from "./poolsAreInRange.js";
import { presetsResolve } from "./presetsResolve.js";
import { serviceSourcesAreFed } from "./serviceSourcesAreFed.js";
import { sourcesAreSound } from "./sourcesAreSound.js";
import { stageLinksResolve } from "./stageLinksResolve.js";
import { stagesResolve } from "./stagesResolve.js";
import { tagsAreLegal } from "./tagsAreLegal.js";
import { textsAreShort } from "./textsAreShort.js";
import { weightsAreSound } from "./weightsAreSound.js";

/** Every rule of the format, in the order in which problems are shown. */
export const RULES: readonly Rule[] = [
  textsAreShort,
  namesAreLegal,
  namesAreUnique,
  fieldTypesExist,
  tagsAreLegal,
  fieldsHaveOneShape,
  messagesAreFinite,
  messagesAreSmall,
  enumsFollowProto3,
  messagesOfServicesExist,
  callsResolve,
  callsCannotDeadlock,
  deadlinesAreInRange,
  implementationsHideNothing,
  partitionsFit,
  nodesFit,
  stagesResolve,
  stageLinksResolve,
  nodesInPlace,
  flowTypesMatch,
  branchesDecide,
  sourcesAreSound,
  generatedEventsFit,
  httpSourcesAreServed,
  serviceSourcesAreFed,
  poolsAreInRange,
  placementsResolve,
  weightsAreSound,
  joinsResolve,
  joinsFitKind,
  presetsResolve,
  addressesAreLegal,
  bundlesResolve,
  everythingIsServed,
  calleesAreReachable,
];

/** What the format knows and the runtime cannot run yet: asked at generation only. */
export const RUNNABLE_RULES: readonly Rule[] = [binariesAreAlone];
