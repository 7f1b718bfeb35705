import { quote, type ProblemCode } from "../../diagnostics/index.js";
import { FAILURE, SCALAR_TYPES } from "../../topology/index.js";
import type { Place, Rule, RuleContext } from "../rule.js";

const SCALARS: ReadonlySet<string> = new Set(SCALAR_TYPES);

/** Requests, responses and events are messages that exist. */
export const messagesOfServicesExist: Rule = {
  name: "messagesOfServicesExist",
  codes: ["PS301", "PS302", "PS401"],
  check(context) {
    for (const [at, { name, request, response }] of context.topology.services.entries()) {
      mustBeMessage(
        context,
        "PS301",
        ["services", at, "request"],
        () => `The request of ${quote(name)}`,
        request,
      );
      if (response !== undefined)
        mustBeMessage(
          context,
          "PS301",
          ["services", at, "response"],
          () => `The response of ${quote(name)}`,
          response,
        );
    }
    for (const [at, { name, event }] of context.topology.flows.entries())
      mustBeMessage(context, "PS401", ["flows", at, "event"], () => `The event of ${quote(name)}`, event);
  },
};

function mustBeMessage(
  context: RuleContext,
  unknown: ProblemCode,
  place: Place,
  what: () => string,
  type: string,
): void {
  const { messages, enums } = context.index;
  if (type === FAILURE || messages.has(type)) return;
  if (enums.has(type)) context.report("PS302", place, `${what()} is the enum ${quote(type)}, not a message`);
  else if (SCALARS.has(type))
    context.report("PS302", place, `${what()} is the scalar ${quote(type)}, not a message`);
  else {
    const details = context.didYouMean(type, [FAILURE, ...messages.keys()]);
    context.report(unknown, place, `${what()} is ${quote(type)}, which does not exist`, details);
  }
}
