import type { Rule } from "../../rule/rule.js";
import { enumsFollowProto3 } from "./enumsFollowProto3.js";
import { fieldsHaveOneShape } from "./fieldsHaveOneShape.js";
import { fieldTypesExist } from "./fieldTypesExist.js";
import { messagesAreFinite } from "./messagesAreFinite.js";
import { messagesAreSmall } from "./messagesAreSmall.js";
import { otherNamesAreLegal } from "./otherNamesAreLegal.js";
import { reservedStaysFree } from "./reservedStaysFree.js";
import { tagsAreLegal } from "./tagsAreLegal.js";
import { wireFormsFit } from "./wireFormsFit.js";

/** In the order in which problems are shown. */
export const MESSAGE_RULES: readonly Rule[] = [
  fieldTypesExist,
  tagsAreLegal,
  reservedStaysFree,
  fieldsHaveOneShape,
  wireFormsFit,
  otherNamesAreLegal,
  messagesAreFinite,
  messagesAreSmall,
  enumsFollowProto3,
];
