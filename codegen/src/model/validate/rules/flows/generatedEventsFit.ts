import { quote } from "../../../diagnostics/index.js";
import { madeFields } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import { generatorFault } from "../../nodes/generatorFault.js";
import { SETTING_CODES } from "../../nodes/settingFaults.js";
import type { BadExample } from "../../testing/badExample.js";
import type { GoodParts } from "../../testing/goodParts.js";

const CODES = {
  PS325: SETTING_CODES.PS325,
  PS425: {
    severity: "error",
    title: "Value for an unknown field of an event",
    explanation: "`event` of a rate source says how fields of the flow's event are made.",
    help: "Correct the name, or add the field to the message.",
  },
  PS426: {
    severity: "error",
    title: "Value that does not fit its field",
    explanation:
      'A field is made in one way: `{"uniform": [a, b]}` for numbers, `{"choice": [...]}`, `{"sequence": start}` for whole numbers, or `{"expression": "C++"}`.',
    help: "Use a way that fits the type of the field.",
  },
} satisfies Codes;

/** A rate source that makes its events by settings fills fields that are there, with values that fit. */
export const generatedEventsFit = rule({
  name: "generatedEventsFit",
  codes: CODES,
  check({ topology, index, report, didYouMean }) {
    for (const [at, { event, source }] of topology.flows.entries()) {
      const made = madeFields(source);
      if (made === undefined) continue;
      const fields = index.messages.get(event)?.item.fields;
      if (fields === undefined) continue;
      for (const [name, generator] of Object.entries(made)) {
        const place = ["flows", at, "source", "event", name];
        const field = fields.find((candidate) => candidate.name === name);
        if (field === undefined) {
          const names = fields.map((candidate) => candidate.name);
          report("PS425", place, `${quote(event)} has no field ${quote(name)}`, didYouMean(name, names));
          continue;
        }
        const fault = generatorFault(generator, field, index);
        if (fault !== undefined)
          report(fault.code === "expression" ? "PS325" : "PS426", [...place, ...fault.inner], fault.message);
      }
    }
  },
});

const EVENT = "/flows/0/source/event";
const events =
  (event: Record<string, unknown>) =>
  ({ flow }: GoodParts): void =>
    void (flow.source = { kind: "rate", perSecond: 1, event });
/** The event has a number `size`. */
const sizes = (type: string, generator: Record<string, unknown>) => (parts: GoodParts) => {
  parts.request.fields!.push({ name: "size", type, tag: 7 });
  events({ size: generator })(parts);
};

// prettier-ignore
export const bad: readonly BadExample<keyof typeof CODES>[] = [
  { code: "PS325", title: "an event by a line of the preprocessor", spoil: events({ cookie: { expression: "1\n#include <x>" } }), pointer: `${EVENT}/cookie/expression` },
  { code: "PS425", title: "an event with an unknown field", spoil: events({ cooky: { choice: ["a"] } }), pointer: `${EVENT}/cooky`, help: '"cookie"' },
  { code: "PS426", title: "an event made in no way", spoil: events({ cookie: "a" }), pointer: `${EVENT}/cookie` },
  { code: "PS426", title: "a text from a range", spoil: events({ cookie: { uniform: [1, 2] } }), pointer: `${EVENT}/cookie/uniform` },
  { code: "PS426", title: "a text that counts", spoil: events({ cookie: { sequence: 1 } }), pointer: `${EVENT}/cookie/sequence` },
  { code: "PS426", title: "a choice of no value of the enum", spoil: events({ tier: { choice: ["FREE", "PAYD"] } }), pointer: `${EVENT}/tier/choice/1` },
  { code: "PS426", title: "a choice of nothing", spoil: events({ tier: { choice: [] } }), pointer: `${EVENT}/tier/choice` },
  { code: "PS426", title: "a choice that no float holds", spoil: sizes("float", { choice: [1, 3.5e38] }), pointer: `${EVENT}/size/choice/1` },
  { code: "PS426", title: "a range from what no float holds", spoil: sizes("float", { uniform: [-1e39, 1] }), pointer: `${EVENT}/size/uniform` },
  { code: "PS426", title: "a range wider than a float", spoil: sizes("float", { uniform: [-3e38, 3e38] }), pointer: `${EVENT}/size/uniform` },
  { code: "PS426", title: "a range wider than a double", spoil: sizes("double", { uniform: [-1e308, 1e308] }), pointer: `${EVENT}/size/uniform` },
  { code: "PS426", title: "a list by choice", spoil: events({ weights: { choice: [1] } }), pointer: `${EVENT}/weights/choice` },
];
