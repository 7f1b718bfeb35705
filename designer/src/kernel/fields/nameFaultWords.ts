import type { NameKind } from "@penstock/codegen/validate";
import { documentStore } from "../document/index.js";
import { nameFault } from "../problems/checks.js";
import { takenBy } from "./takenBy.js";

/** Why the thing that `nodeRef` names cannot be named `text`; undefined when it can. */
export function nameFaultWords(rule: NameKind, nodeRef: string, text: string): string | undefined {
  const fault = nameFault(rule, text);
  if (fault) return `${fault.message}. Try ${fault.suggestion}`;
  return takenBy(documentStore.getState().topology, nodeRef, text);
}
