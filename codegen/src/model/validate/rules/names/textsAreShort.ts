import { quote } from "../../../diagnostics/index.js";
import { LIMITS } from "../../../topology/index.js";
import { utf8Length } from "../../../text/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import { force, type BadExample } from "../../testing/badExample.js";

/** Names of the document's own things: `PS202` is about their length. */
const NAME_KEYS: ReadonlySet<string | number | undefined> = new Set(["name", "id"]);

const CODES = {
  PS132: {
    severity: "error",
    title: "Text too long",
    explanation: "A text holds at most 4 kB (4096 bytes of UTF-8).",
    help: "Shorten it; long descriptions belong into files of their own.",
  },
} satisfies Codes;

/** Every text has at most 4 kB of UTF-8. */
export const textsAreShort = rule({
  name: "textsAreShort",
  codes: CODES,
  check({ topology, report }) {
    const place: (string | number)[] = [];
    const walk = (value: unknown): void => {
      if (typeof value === "string") {
        // Three bytes a unit at most: nearly every text is cleared without counting.
        if (value.length * 3 <= LIMITS.textBytes) return;
        const key = place[place.length - 1];
        const bytes = NAME_KEYS.has(key) ? 0 : utf8Length(value);
        if (bytes > LIMITS.textBytes)
          report(
            "PS132",
            [...place],
            `${quote(String(key))} has ${bytes} bytes, more than ${LIMITS.textBytes}`,
          );
      } else if (typeof value === "object" && value !== null)
        for (const key in value) {
          place.push(Array.isArray(value) ? Number(key) : key);
          walk((value as Record<string, unknown>)[key]);
          place.pop();
        }
    };
    walk(topology);
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS132",
    title: "a text of 4097 bytes",
    spoil: ({ ad }) => force(ad, { doc: `${"é".repeat(2048)}x` }),
    pointer: "/messages/1/doc",
    node: "message:Ad",
  },
];
