import type { BadExample } from "./badExample.js";
import type { GoodParts } from "./goodParts.js";

const AT = "/flows/0/source";

/** The flow gets its events from the source of tickerSource.ts, which the project would bring. */
const ticker =
  (settings: Record<string, unknown>) =>
  ({ flow }: GoodParts): void =>
    void (flow.source = { kind: "ticker", ...settings });

// prettier-ignore
/** Mistakes in sources that a project brings, and in the kinds of all. */
export const BAD_SOURCES: readonly BadExample[] = [
  { code: "PS428", title: "a source that does not exist", spoil: ({ flow }) => void (flow.source = { kind: "kafka" }), pointer: `${AT}/kind`, node: "flow:Impressions" },
  { code: "PS428", title: "a source that is nearly one", spoil: ({ flow }) => void (flow.source = { kind: "tickr" }), pointer: `${AT}/kind`, help: '"ticker"' },
  { code: "PS321", title: "a setting that is nearly one of its own source", spoil: ticker({ count: 1, speach: "a" }), pointer: `${AT}/speach`, help: '"speech"' },
  { code: "PS322", title: "no count for its own source", spoil: ticker({}), pointer: AT },
  { code: "PS323", title: "a text as the count of its own source", spoil: ticker({ count: "one" }), pointer: `${AT}/count`, help: "Write a whole number." },
  { code: "PS323", title: "a count beyond the range", spoil: ticker({ count: 101 }), pointer: `${AT}/count`, help: "Use 1 to 100." },
  { code: "PS323", title: "a mode that its own source does not have", spoil: ticker({ count: 1, mode: "quik" }), pointer: `${AT}/mode`, help: '"quick"' },
  { code: "PS323", title: "a rate beyond the greatest", spoil: ticker({ count: 1, perSecond: 1e10 }), pointer: `${AT}/perSecond`, help: "Use 0 to 1000000000." },
  { code: "PS429", title: "an event without what its source fills", spoil: (parts) => { ticker({ count: 1 })(parts); parts.document.messages![0]!.fields![0]!.type = "bytes"; }, pointer: "/flows/0/event", help: "Add the field" },
];
