import { quote, quoteList } from "../../../diagnostics/index.js";
import { type SettingSchema } from "../../../manifests/index.js";
import { STANDARD_SOURCES, type SourceManifest } from "../../../sources/index.js";
import {
  FAILURE,
  FASTEST_RATE,
  LARGEST_BODY,
  LONGEST_TIMEOUT_MS,
  madeFields,
  type Flow,
} from "../../../topology/index.js";
import { SETTING_CODES, SettingChecker } from "../../nodes/settingFaults.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";
import type { GoodParts } from "../../testing/goodParts.js";

const CODES = {
  ...SETTING_CODES,
  PS417: {
    severity: "error",
    title: "Path of the wrong form",
    explanation:
      "The path of an HTTP source starts with `/` and has unreserved characters (letters, digits, `-`, `.`, `_`, `~`) between single slashes.",
    help: "Use a path such as `/mo`.",
  },
  PS420: {
    severity: "error",
    title: "Rate out of range",
    explanation: `\`perSecond\` is 0 (paused) to ${FASTEST_RATE}; fractions are allowed.`,
    help: "Use a rate in that range.",
  },
  PS421: {
    severity: "error",
    title: "No file of the project",
    explanation:
      "A `file` source names the file of JSON lines it reads, in the folder that the binary is started in (`penstock run`: the project's) or below it: no `/` at the beginning, no `.` or `..` on the way.",
    help: "Set `path` to such a file; one that lies elsewhere can be linked there, or be named in the configuration of the binary that is deployed.",
  },
  PS422: {
    severity: "error",
    title: "Time limit of requests out of range",
    explanation: `\`timeoutMs\` of an HTTP source is 1 to ${LONGEST_TIMEOUT_MS} milliseconds; left out it is 30000.`,
    help: "Use a time in that range.",
  },
  PS423: {
    severity: "error",
    title: "Size limit of requests out of range",
    explanation: `\`maxBytes\` of an HTTP source is 1 to ${LARGEST_BODY}; left out it is 102400.`,
    help: "Use a size in that range.",
  },
  PS427: {
    severity: "error",
    title: "Failures from outside",
    explanation:
      "`Failure` is the runtime's own message: handlers push it, and the user's C++ makes it, but it is neither read from requests or files nor made by settings.",
    help: "Use a message of your own as the event.",
  },
  PS428: {
    severity: "error",
    title: "Unknown kind of source",
    explanation:
      "`kind` of a source names a standard one, or one of the project's own in its folder `sources/`. `penstock nodes` lists them.",
    help: "Use a kind that `penstock nodes` lists.",
  },
  PS429: {
    severity: "error",
    title: "Event that does not fit its source",
    explanation: "The manifest of a source says which fields its event must have.",
    help: "Add the field to the message, or choose another event.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/** A source is of a kind that there is, and its settings and event are as the manifest of that kind asks. */
export const sourcesAreSound = rule({
  name: "sourcesAreSound",
  codes: CODES,
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
});

function checkEvent({ report, index }: Context, flow: Flow, manifest: SourceManifest, at: number): void {
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

function checkSettings(context: Context, flow: Flow, { settings }: SourceManifest, place: Place): void {
  const { kind: _, ...given } = flow.source;
  const checker = new SettingChecker(context, CODES, context.index, {
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

const AT = "/flows/0/source";
/** The flow gets its events from the source of tickerSource.ts, which the project would bring. */
const ticker =
  (settings: Record<string, unknown>) =>
  ({ flow }: GoodParts): void =>
    void (flow.source = { kind: "ticker", ...settings });

/** The flow's only stage stands at its start and takes failures. */
function ofFailures({ flow, oops }: GoodParts, source: GoodParts["flow"]["source"]): void {
  oops.role = "side-effect";
  Object.assign(flow, { event: "Failure", source, stages: [oops] });
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS427",
    title: "failures from requests",
    spoil: (parts) => {
      parts.binary.http = "127.0.0.1:0";
      ofFailures(parts, { kind: "http", path: "/f" });
    },
    pointer: "/flows/0/event",
    node: "flow:Impressions",
  },
  {
    code: "PS427",
    title: "failures from a file",
    spoil: (parts) => ofFailures(parts, { kind: "file", path: "failures.jsonl" }),
    pointer: "/flows/0/event",
  },
  {
    code: "PS427",
    title: "failures made by settings",
    spoil: (parts) => ofFailures(parts, { kind: "rate", perSecond: 1, event: { nonsense: 1 } }),
    pointer: "/flows/0/event",
  },
  {
    code: "PS417",
    title: "a path with a space",
    spoil: ({ flow, binary }) => {
      flow.source = { kind: "http", path: "/a b" };
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS417",
    title: "no path at all",
    spoil: ({ flow, binary }) => {
      flow.source = { kind: "http", path: "" };
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS417",
    title: "row 69: a path that climbs",
    spoil: ({ flow, binary }) => {
      flow.source = { kind: "http", path: "/../x" };
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS420",
    title: "a rate below 0",
    spoil: ({ flow }) => void (flow.source = { kind: "rate", perSecond: -0.5 }),
    pointer: "/flows/0/source/perSecond",
  },
  {
    code: "PS420",
    title: "a rate above 10^9",
    spoil: ({ flow }) => void (flow.source = { kind: "rate", perSecond: FASTEST_RATE + 1 }),
    pointer: "/flows/0/source/perSecond",
  },
  {
    code: "PS421",
    title: "no file",
    spoil: ({ flow }) => void (flow.source = { kind: "file", path: "" }),
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS421",
    title: "a file outside the project",
    spoil: ({ flow }) => void (flow.source = { kind: "file", path: "../orders.jsonl" }),
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS421",
    title: "a file of the machine",
    spoil: ({ flow }) => void (flow.source = { kind: "file", path: "/etc/passwd" }),
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS420",
    title: "a file read at a rate below 0",
    spoil: ({ flow }) => void (flow.source = { kind: "file", path: "a.jsonl", perSecond: -1 }),
    pointer: "/flows/0/source/perSecond",
  },
  {
    code: "PS422",
    title: "requests that may not wait",
    spoil: ({ flow, binary }) => {
      flow.source = { kind: "http", path: "/mo", timeoutMs: 0 };
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/0/source/timeoutMs",
  },
  {
    code: "PS423",
    title: "bodies above 16 MiB",
    spoil: ({ flow, binary }) => {
      flow.source = { kind: "http", path: "/mo", maxBytes: 16_777_217 };
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/0/source/maxBytes",
  },
  {
    code: "PS428",
    title: "a source that does not exist",
    spoil: ({ flow }) => void (flow.source = { kind: "kafka" }),
    pointer: `${AT}/kind`,
    node: "flow:Impressions",
  },
  {
    code: "PS428",
    title: "a source that is nearly one",
    spoil: ({ flow }) => void (flow.source = { kind: "tickr" }),
    pointer: `${AT}/kind`,
    help: '"ticker"',
  },
  {
    code: "PS321",
    title: "a setting that is nearly one of its own source",
    spoil: ticker({ count: 1, speach: "a" }),
    pointer: `${AT}/speach`,
    help: '"speech"',
  },
  { code: "PS322", title: "no count for its own source", spoil: ticker({}), pointer: AT },
  {
    code: "PS323",
    title: "a text as the count of its own source",
    spoil: ticker({ count: "one" }),
    pointer: `${AT}/count`,
    help: "Write a whole number.",
  },
  {
    code: "PS323",
    title: "a count beyond the range",
    spoil: ticker({ count: 101 }),
    pointer: `${AT}/count`,
    help: "Use 1 to 100.",
  },
  {
    code: "PS323",
    title: "a mode that its own source does not have",
    spoil: ticker({ count: 1, mode: "quik" }),
    pointer: `${AT}/mode`,
    help: '"quick"',
  },
  {
    code: "PS323",
    title: "a rate beyond the greatest",
    spoil: ticker({ count: 1, perSecond: 1e10 }),
    pointer: `${AT}/perSecond`,
    help: "Use 0 to 1000000000.",
  },
  {
    code: "PS429",
    title: "an event without what its source fills",
    spoil: (parts) => {
      ticker({ count: 1 })(parts);
      parts.document.messages![0]!.fields![0]!.type = "bytes";
    },
    pointer: "/flows/0/event",
    help: "Add the field",
  },
];
