import { quote } from "../../diagnostics/index.js";
import { LAST_TAG } from "../../topology/index.js";
import type { Rule } from "../rule.js";

const RESERVED_FROM = 19_000;
const RESERVED_TO = 19_999;

/** Tags are unique within their message, 1 to 2^29-1 and outside the range that protobuf keeps. */
export const tagsAreLegal: Rule = {
  name: "tagsAreLegal",
  codes: ["PS211", "PS212", "PS213"],
  check({ topology, report }) {
    for (const [at, message] of topology.messages.entries()) {
      const used = new Map<number, string>();
      const highest = message.fields.reduce(
        (most, { tag }) => (isLegal(tag) ? Math.max(most, tag) : most),
        0,
      );
      for (const [inner, { name, tag }] of message.fields.entries()) {
        const place = ["messages", at, "fields", inner, "tag"];
        const owner = (): string => `The field ${quote(name)} of ${quote(message.name)}`;
        const other = used.get(tag);
        if (tag < 1 || tag > LAST_TAG)
          report(
            "PS211",
            place,
            `${owner()} has the tag ${tag}, not one of 1 to ${LAST_TAG}`,
            helpFor(highest),
          );
        else if (!isLegal(tag))
          report(
            "PS212",
            place,
            `${owner()} has the tag ${tag}, which protobuf keeps for itself`,
            helpFor(highest),
          );
        else if (other !== undefined)
          report("PS213", place, `${owner()} has the tag ${tag}, as ${quote(other)} has`, helpFor(highest));
        if (other === undefined) used.set(tag, name);
      }
    }
  },
};

const isLegal = (tag: number): boolean =>
  tag >= 1 && tag <= LAST_TAG && !(tag >= RESERVED_FROM && tag <= RESERVED_TO);

const helpFor = (highest: number) => ({ help: `Use another tag, for example ${nextFree(highest)}.` });

const nextFree = (highest: number): number =>
  isLegal(highest + 1) ? highest + 1 : highest < LAST_TAG ? RESERVED_TO + 1 : 1;
