import { quote } from "../../../diagnostics/index.js";
import { FAILURE, SCALAR_TYPES, type Topology } from "../../../topology/index.js";
import type { Fix } from "../../rule/fix.js";
import { NAME_PATTERNS } from "../../names/patterns.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const SCALARS: ReadonlySet<string> = new Set(SCALAR_TYPES);

const CODES = {
  PS301: {
    severity: "error",
    title: "Unknown message",
    explanation:
      "The request and response of a service are messages of this topology (or the built-in `Failure`).",
    help: "Use a message that exists, or add it.",
    fixes: typeFixes,
  },
  PS302: {
    severity: "error",
    title: "Not a message",
    explanation:
      "The request and response of a service, and the event of a flow, are messages; an enum or a scalar cannot travel alone.",
    help: "Put the value into a message and use that.",
    fixes: (topology, at) => (at[0] === "flows" ? eventFixes(topology, at) : typeFixes(topology, at)),
  },
  PS401: {
    severity: "error",
    title: "Unknown event",
    explanation: "The event of a flow is a message of this topology.",
    help: "Use a message that exists, or add it.",
    fixes: eventFixes,
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/** Requests, responses and events are messages that exist. */
export const messagesOfServicesExist = rule({
  name: "messagesOfServicesExist",
  codes: CODES,
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
});

function mustBeMessage(
  context: Context,
  unknown: keyof typeof CODES,
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

/** Messages that are there, or a new one of the name that was meant. */
function typeFixes({ services, messages }: Topology, [, at, side]: readonly string[]): Fix[] {
  const service = services[Number(at)];
  if (service === undefined) return [];
  const key = side === "response" ? side : "request";
  const wanted = service[key];
  const named = wanted !== undefined && NAME_PATTERNS.message.pattern.test(wanted) ? { message: wanted } : {};
  const there = messages.flatMap(({ name }) =>
    name === wanted ? [] : [{ does: "use message", service: service.name, key, message: name } as const],
  );
  return [
    ...there.slice(0, 2),
    { does: "make message", service: service.name, key, ...named } as const,
  ].slice(0, 2);
}

/** What the first stage takes, or else some message. */
function eventFixes({ flows, services, messages }: Topology, [, at]: readonly string[]): Fix[] {
  const flow = flows[Number(at)];
  const first = services.find(({ name }) => name === flow?.stages[0]?.service);
  const message = first?.request ?? messages[0]?.name;
  if (flow === undefined || message === flow.event || !messages.some(({ name }) => name === message))
    return [];
  return [{ does: "use event", flow: flow.name, message: message! }];
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS301",
    title: "row 65: an unknown request",
    spoil: ({ produceAd }) => void (produceAd.request = "AdReqest"),
    pointer: "/services/1/request",
    node: "service:ProduceAd",
    help: 'Did you mean "AdRequest"?',
  },
  {
    code: "PS301",
    title: "an unknown response",
    spoil: ({ produceAd }) => void (produceAd.response = "Nothing"),
    pointer: "/services/1/response",
  },
  {
    code: "PS302",
    title: "an enum as a request",
    spoil: ({ produceAd }) => void (produceAd.request = "Tier"),
    pointer: "/services/1/request",
  },
  {
    code: "PS302",
    title: "a scalar as a response",
    spoil: ({ produceAd }) => void (produceAd.response = "string"),
    pointer: "/services/1/response",
  },
  {
    code: "PS401",
    title: "an unknown event",
    spoil: ({ flow }) => void (flow.event = "AdRequst"),
    pointer: "/flows/0/event",
    node: "flow:Impressions",
    help: 'Did you mean "AdRequest"?',
  },
];
