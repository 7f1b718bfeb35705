import { quote } from "../../../diagnostics/index.js";
import {
  FAILURE,
  flowValues,
  predecessorsOf,
  type Flow,
  type Service,
  type StageValues,
} from "../../../topology/index.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS404: {
    severity: "error",
    title: "Stage takes another message",
    explanation:
      "The service of a stage takes what the stage before it gives: the event from the source, the response of a `map`, what a `side-effect` passes on.",
    help: "Use a service that takes that message, or put a `map` between that makes one of the other.",
  },
  PS405: {
    severity: "error",
    title: "Nothing left to take",
    explanation: "A `map` whose service has no response ends its branch: only a `catch` may follow.",
    help: "Make the stage before a `side-effect`, or give its service a response.",
  },
  PS406: {
    severity: "error",
    title: "catch does not take Failure",
    explanation:
      "The service of a `catch` takes the built-in message `Failure` (code, message, flow, stage).",
    help: "Set the request of the service to `Failure`.",
  },
  PS407: {
    severity: "error",
    title: "catch gives another message",
    explanation:
      "The response of a `catch` is the value with which the flow goes on, so it is the message that passes there.",
    help: "Let the service give that message, or nothing (then a failed event ends).",
  },
  PS408: {
    severity: "error",
    title: "catch with nothing before it",
    explanation: "A `catch` takes the failures of the stages before it, and there is none.",
    help: "Move it behind the stages whose failures it takes.",
  },
  PS409: {
    severity: "warning",
    title: "Response of a side effect is ignored",
    explanation: "A `side-effect` sees the event and passes it on; what its service gives back goes nowhere.",
    help: "Make it a `map`, or use a service without response.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/** Each stage takes what the stages before it give, by its role. */
export const flowTypesMatch = rule({
  name: "flowTypesMatch",
  codes: CODES,
  check(context) {
    for (const [at, flow] of context.topology.flows.entries()) {
      const values = flowValues(flow, context.index);
      const before = predecessorsOf(flow);
      flow.stages.forEach((stage, inner) => {
        const service = context.index.services.get(stage.service)?.item;
        const stageValues = values[inner];
        if (service === undefined || stageValues === undefined) return;
        const place = ["flows", at, "stages", inner];
        if (stage.role === "catch")
          checkCatch(context, place, service, stageValues, before[inner] ?? [], stage.after === undefined);
        else
          checkTaker(
            context,
            place,
            service,
            flow,
            stageValues,
            (before[inner] ?? []).map((from) => values[from]),
          );
        if (stage.role === "side-effect" && service.response !== undefined)
          context.report(
            "PS409",
            place,
            `${quote(service.name)} gives ${quote(service.response)}, which a side-effect ignores`,
          );
      });
    }
  },
});

function checkTaker(
  { report, index }: Context,
  place: Place,
  service: Service,
  flow: Flow,
  { arrives }: StageValues,
  before: readonly (StageValues | undefined)[],
): void {
  const told = new Set<string>();
  // A message that does not exist is reported where it is named.
  const exists = (name: string): boolean => name === FAILURE || index.messages.has(name);
  arrives.forEach((value, from) => {
    if (value === undefined) {
      if (before[from]?.ended === true && !told.has(""))
        report(
          "PS405",
          place,
          `Nothing is left for ${quote(service.name)}: the stage before it in ${quote(flow.name)} gives nothing back`,
        );
      told.add("");
    } else if (value !== service.request && !told.has(value) && exists(value) && exists(service.request)) {
      told.add(value);
      report(
        "PS404",
        place,
        `${quote(service.name)} takes ${quote(service.request)}, but ${quote(value)} arrives`,
        {
          help: `Use a service that takes ${quote(value)}, or put a map from ${quote(value)} to ${quote(service.request)} before it.`,
        },
      );
    }
  });
}

function checkCatch(
  { report }: Context,
  place: Place,
  service: Service,
  { arrives }: StageValues,
  before: readonly number[],
  atStart: boolean,
): void {
  if (before.length === 0 && atStart)
    report("PS408", place, `No stage stands before the catch ${quote(service.name)}`);
  if (service.request !== FAILURE)
    report(
      "PS406",
      place,
      `${quote(service.name)} takes ${quote(service.request)}, but a catch takes ${quote(FAILURE)}`,
    );
  const passing = arrives.find((value) => value !== undefined && value !== service.response);
  if (service.response !== undefined && passing !== undefined)
    report(
      "PS407",
      place,
      `${quote(service.name)} gives ${quote(service.response)}, but the flow goes on with ${quote(passing)}`,
    );
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS404",
    title: "row 65: a stage that takes another message",
    spoil: ({ flow, pick, log, oops }) => void (flow.stages = [log, pick, oops]),
    pointer: "/flows/0/stages/0",
    node: "stage:Impressions/log",
  },
  {
    code: "PS405",
    title: "a stage behind one that gives nothing",
    spoil: ({ log, flow }) => {
      log.role = "map";
      flow.stages!.push({ id: "again", service: "LogAd" });
      flow.stages!.splice(2, 1);
    },
    pointer: "/flows/0/stages/2",
  },
  {
    code: "PS406",
    title: "a catch that takes no Failure",
    spoil: ({ oops }) => void (oops.service = "LogAd"),
    pointer: "/flows/0/stages/2",
  },
  {
    code: "PS407",
    title: "a catch that gives another message",
    spoil: ({ countError }) => void (countError.response = "AdRequest"),
    pointer: "/flows/0/stages/2",
  },
  {
    code: "PS408",
    title: "a catch at the start",
    spoil: ({ flow, pick, log, oops }) => void (flow.stages = [oops, pick, log]),
    pointer: "/flows/0/stages/0",
  },
  {
    code: "PS409",
    title: "a side-effect with a response",
    severity: "warning",
    spoil: ({ logAd }) => void (logAd.response = "Ad"),
    pointer: "/flows/0/stages/1",
  },
];
