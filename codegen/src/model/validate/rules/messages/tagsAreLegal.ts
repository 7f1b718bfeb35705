import { quote } from "../../../diagnostics/index.js";
import { LAST_TAG, type Message } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const RESERVED_FROM = 19_000;
const RESERVED_TO = 19_999;

const CODES = {
  PS211: {
    severity: "error",
    title: "Tag out of range",
    explanation: `Tags are whole numbers from 1 to ${LAST_TAG} (2^29-1).`,
    help: "Give the field a free tag in that range.",
  },
  PS212: {
    severity: "error",
    title: "Tag reserved by protobuf",
    explanation: "Protobuf keeps the tags 19000 to 19999 for itself.",
    help: "Give the field a tag outside that range.",
  },
  PS213: {
    severity: "error",
    title: "Tag used twice",
    explanation: "The tag is what names a field on the wire, so each has its own.",
    help: "Give one of the two a free tag.",
  },
} satisfies Codes;

/** Tags are unique within their message, 1 to 2^29-1 and outside the range that protobuf keeps. */
export const tagsAreLegal = rule({
  name: "tagsAreLegal",
  codes: CODES,
  check({ topology, report }) {
    for (const [at, message] of topology.messages.entries()) {
      const used = new Map<number, string>();
      const highest = message.fields.reduce(
        (most, { tag }) => (isLegal(tag) ? Math.max(most, tag) : most),
        highestReserved(message),
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
});

const highestReserved = ({ reserved }: Message): number =>
  (reserved?.numbers ?? []).flat().reduce((most, tag) => (isLegal(tag) ? Math.max(most, tag) : most), 0);

const isLegal = (tag: number): boolean =>
  tag >= 1 && tag <= LAST_TAG && !(tag >= RESERVED_FROM && tag <= RESERVED_TO);

const helpFor = (highest: number) => ({ help: `Use another tag, for example ${nextFree(highest)}.` });

const nextFree = (highest: number): number =>
  isLegal(highest + 1) ? highest + 1 : highest < LAST_TAG ? RESERVED_TO + 1 : 1;

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS211",
    title: "tag 0",
    spoil: ({ ad }) => void (ad.fields![0]!.tag = 0),
    pointer: "/messages/1/fields/0/tag",
    help: "for example 3.",
  },
  {
    code: "PS211",
    title: "tag 2^29",
    spoil: ({ ad }) => void (ad.fields![0]!.tag = 2 ** 29),
    pointer: "/messages/1/fields/0/tag",
  },
  {
    code: "PS212",
    title: "a tag of protobuf's own",
    spoil: ({ ad }) => void (ad.fields![0]!.tag = 19_000),
    pointer: "/messages/1/fields/0/tag",
  },
  {
    code: "PS213",
    title: "a tag twice",
    spoil: ({ ad }) => void (ad.fields![1]!.tag = 1),
    pointer: "/messages/1/fields/1/tag",
  },
];
