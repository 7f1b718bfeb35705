import { quote } from "../../diagnostics/index.js";
import {
  FAILURE,
  flowValues,
  predecessorsOf,
  type Flow,
  type Service,
  type StageValues,
} from "../../topology/index.js";
import type { Place, Rule, RuleContext } from "../rule.js";

/** Each stage takes what the stages before it give, by its role. */
export const flowTypesMatch: Rule = {
  name: "flowTypesMatch",
  codes: ["PS404", "PS405", "PS406", "PS407", "PS408", "PS409"],
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
};

function checkTaker(
  { report, index }: RuleContext,
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
  { report }: RuleContext,
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
