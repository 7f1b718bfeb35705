import { callArgument, callText, type Service } from "../model/topology/index.js";
import type { StartPlan } from "./projectPlan.js";

/** What is known of the names around a handler. */
interface Surroundings {
  /** Whether who is asked may ask back: such a start would go round for ever. */
  returns: (caller: string, callee: string) => boolean;
  /** A message as the user's file spells it. */
  short: (name: string) => string;
}

/**
 * The calls that a handler starts with. One that takes the handler's own request and gives its own
 * response makes the answer; a request of another type is left to be filled, and the answer to be made.
 */
export function planStart(
  service: Service,
  callees: readonly Service[],
  { returns, short }: Surroundings,
): StartPlan {
  const asked = callees.filter((callee) => !returns(service.name, callee.name));
  const isFilled = asked.every((callee) => callee.request === service.request);
  const last =
    isFilled && service.response !== undefined
      ? asked.findLast((callee) => callee.response === service.response)
      : undefined;
  const order = last === undefined ? asked : [...asked.filter((callee) => callee !== last), last];
  return {
    asks: order.map((callee) => {
      const argument = callArgument(service, callee);
      const text = callText(service, callee.name, argument);
      return {
        declares: argument === "request" ? "" : `${short(callee.request)} ${argument}`,
        call: callee === last || callee.response === undefined ? text : `static_cast<void>(${text})`,
      };
    }),
    answers: last !== undefined || (isFilled && asked.length > 0 && service.response === undefined),
  };
}
