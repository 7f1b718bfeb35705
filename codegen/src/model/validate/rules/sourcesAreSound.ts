import { quote, quoteList, type ProblemCode } from "../../diagnostics/index.js";
import { type SettingSchema } from "../../manifests/index.js";
import { STANDARD_SOURCES, type SourceManifest } from "../../sources/index.js";
import { FAILURE, madeFields, type Flow } from "../../topology/index.js";
import { SettingChecker } from "../nodes/settingFaults.js";
import type { Place, Rule, RuleContext } from "../rule.js";

/** A source is of a kind that there is, and its settings and event are as the manifest of that kind asks. */
export const sourcesAreSound: Rule = {
  name: "sourcesAreSound",
  codes: [
    ...["PS321", "PS322", "PS323", "PS417", "PS420", "PS421", "PS422", "PS423", "PS427", "PS428", "PS429"],
  ] as ProblemCode[],
  check(context) {
    const { topology, report, didYouMean } = context;
    const sources = context.sources ?? STANDARD_SOURCES;
    for (const [at, flow] of topology.flows.entries()) {
      const { kind } = flow.source;
      const place = ["flows", at, "source"];
      const manifest = sources.get(kind);
      if (manifest !== undefined) {
        checkEvent(context, flow, manifest, at);
        checkSettings(context, flow, manifest, place);
      } else if (context.sources !== undefined)
        // Without the project's own nothing can be said of a kind that is no standard one.
        report(
          "PS428",
          [...place, "kind"],
          `There is no source of the kind ${quote(kind)}`,
          didYouMean(kind, sources.keys()),
        );
    }
  },
};

function checkEvent({ report, index }: RuleContext, flow: Flow, manifest: SourceManifest, at: number): void {
  const { name, event, source } = flow;
  const place = ["flows", at, "event"];
  const isMade = madeFields(source) !== undefined;
  if (event === FAILURE && (isMade || manifest.events === "json" || manifest.events === "class")) {
    const why = isMade ? "settings cannot make" : `no ${source.kind} source reads`;
    report("PS427", place, `The event of ${quote(name)} is ${quote(FAILURE)}, which ${why}`);
    return;
  }
  const fields = index.messages.get(event)?.item.fields;
  for (const wanted of manifest.event?.fields ?? [])
    if (
      fields !== undefined &&
      !fields.some((field) => field.name === wanted.name && wanted.types.includes(field.type))
    )
      report(
        "PS429",
        place,
        `A ${source.kind} source needs a field ${quote(wanted.name)} of ${quoteList(wanted.types)} in ${quote(event)}`,
      );
}

function checkSettings(context: RuleContext, flow: Flow, { settings }: SourceManifest, place: Place): void {
  const { kind: _, ...given } = flow.source;
  const checker = new SettingChecker(context, context.index, {
    request: undefined,
    response: context.index.messages.get(flow.event)?.item,
    callee: undefined,
    decides: undefined,
  });
  const isMadeOf = ({ additionalProperties }: SettingSchema): boolean =>
    additionalProperties?.format === "generator";
  // How fields are made has a rule of its own.
  const made = new Set(Object.keys(settings.properties).filter((key) => isMadeOf(settings.properties[key]!)));
  const checked = Object.fromEntries(Object.entries(given).filter(([key]) => !made.has(key)));
  checker.check(settings, checked, place);
}
