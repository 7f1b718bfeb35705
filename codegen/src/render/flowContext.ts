import { countsEvents, type FlowPlan, type GeneratorPlan } from "../plan/index.js";
import { fitCall } from "./fitLine.js";
import { madeField } from "./nodeTemplate.js";

/** What the header of a flow's source reads, and the start of the user's file. */
export function flowContext(flow: FlowPlan): object {
  return {
    flow,
    isMade: flow.made !== undefined,
    eventDefinition: definition(flow.userEventType, flow, "sequence"),
  };
}

/** What the generated maker of events reads; its text goes through `numbered`. */
export function madeEventsContext(flow: FlowPlan, made: readonly GeneratorPlan[]): object {
  return {
    flow,
    include: flow.header.replace(/^flows\//, ""),
    madeDefinition: definition(flow.eventType, flow, made.some(countsEvents) ? "sequence" : "/*sequence*/"),
    assignments: made.map((value) => madeField(value, "event", flow.source)),
  };
}

const definition = (type: string, flow: FlowPlan, sequence: string): string =>
  fitCall(0, `${type} ${flow.name}::event(`, `std::uint64_t ${sequence}`, ") {");
