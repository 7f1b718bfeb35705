import { quote, quoteWay } from "../../../diagnostics/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

/** Messages of a cycle that a problem names. */
const SHOWN = 6;

const CODES = {
  PS216: {
    severity: "error",
    title: "Message contains itself",
    explanation: "A message that holds itself by value would be endless.",
    help: "Make one field of the cycle `optional` or `repeated`.",
  },
} satisfies Codes;

/**
 * No message contains itself except through `repeated` or `optional`. Depth-first search without
 * recursion, O(messages + fields): an edge back to a message that is still open closes a cycle.
 */
export const messagesAreFinite = rule({
  name: "messagesAreFinite",
  codes: CODES,
  check({ topology, index, report }) {
    const state = new Map<string, "open" | "done">();
    const depth = new Map<string, number>();
    for (const root of topology.messages) {
      if (state.has(root.name)) continue;
      const way: { name: string; field: number }[] = [{ name: root.name, field: 0 }];
      state.set(root.name, "open");
      depth.set(root.name, 0);
      for (let top = way[way.length - 1]; top !== undefined; top = way[way.length - 1]) {
        const here = index.messages.get(top.name);
        const at = top.field++;
        const field = here?.item.fields[at];
        if (here === undefined || field === undefined) {
          state.set(top.name, "done");
          way.pop();
          continue;
        }
        if (field.repeated === true || field.optional === true || !index.messages.has(field.type)) continue;
        if (state.get(field.type) === "open") {
          // Only what is shown is copied: a hostile document has as many cycles as fields, each as long as the way.
          const from = depth.get(field.type) ?? 0;
          const start = way.slice(from, from + SHOWN).map(({ name }) => name);
          const cycle = [...start, ...(way.length - from > SHOWN ? ["…"] : []), field.type];
          report(
            "PS216",
            ["messages", here.at, "fields", at, "type"],
            `${quote(field.type)} contains itself: ${quoteWay(cycle)}`,
            { help: `Make ${quote(field.name)} of ${quote(top.name)} "optional" or "repeated".` },
          );
        } else if (!state.has(field.type)) {
          state.set(field.type, "open");
          depth.set(field.type, way.length);
          way.push({ name: field.type, field: 0 });
        }
      }
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS216",
    title: "a message in itself by way of another",
    spoil: ({ ad, request }) => {
      ad.fields!.push({ name: "request", type: "AdRequest", tag: 9 });
      request.fields!.push({ name: "ad", type: "Ad", tag: 9, length: 2 });
    },
    pointer: "/messages/1/fields/2/type",
  },
];
