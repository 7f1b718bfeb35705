import { quote } from "../../../diagnostics/index.js";
import { nameFault } from "../../names/nameFault.js";
import { nameScopes, placeOf } from "../../names/namedThings.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS201: {
    severity: "error",
    title: "Name of the wrong form",
    explanation:
      "Names become identifiers and file names. Messages, enums, services, implementations, flows and bundles are letters and digits beginning with a capital (`GetAd`); fields, pools and stages letters, digits and `_` beginning with a lower-case letter (`perSecond`); enum values capitals, digits and `_` (`NOT_FOUND`); the project lower-case letters, digits and `_` (`my_shop`); binaries and presets the same and `-` (`ads-server`).",
    help: "Use the name suggested, or another of that form.",
  },
  PS202: {
    severity: "error",
    title: "Name too long",
    explanation: "A name has at most 64 characters.",
    help: "Shorten it.",
  },
  PS203: {
    severity: "error",
    title: "C++ keyword",
    explanation: "The name would become a C++ identifier, and C++ keeps the word for itself.",
    help: "Use the name suggested, or another.",
  },
  PS204: {
    severity: "error",
    title: "C or C++ macro",
    explanation:
      "A header of the standard library or of the system defines a macro of this name, which would replace it in generated code.",
    help: "Use the name suggested, or another.",
  },
  PS205: {
    severity: "error",
    title: "Reserved name",
    explanation:
      "The name is used by the C++ standard library, the system, the runtime, generated code or the build.",
    help: "Use the name suggested, or another.",
  },
} satisfies Codes;

/** Names have their form and length and are no word that C++, the system, the runtime or the build keeps. */
export const namesAreLegal = rule({
  name: "namesAreLegal",
  codes: CODES,
  check({ topology, report }) {
    for (const scope of nameScopes(topology))
      for (const thing of scope) {
        const fault = nameFault(thing.kind, thing.name);
        if (fault === undefined) continue;
        const help = `Use another name, for example ${quote(fault.suggestion)}.`;
        report(fault.code, placeOf(thing), fault.message, { help });
      }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS201",
    title: "row 66: a service in Arabic",
    spoil: ({ logAd, bundle, log }) => {
      logAd.name = "سجل";
      log.service = "سجل";
      bundle.services![2] = "سجل";
    },
    pointer: "/services/2/name",
    help: '"MyService"',
  },
  {
    code: "PS201",
    title: "row 66: a right-to-left override in a name",
    spoil: ({ tier, request, ad }) => {
      tier.name = "Tier\u202e";
      request.fields![1]!.type = tier.name;
      ad.fields![1]!.type = tier.name;
    },
    pointer: "/enums/0/name",
    help: '"Tier"',
  },
  {
    code: "PS201",
    title: "row 66: an umlaut in a field",
    spoil: ({ ad }) => void (ad.fields![0]!.name = "größe"),
    pointer: "/messages/1/fields/0/name",
  },
  {
    code: "PS201",
    title: "an empty name",
    spoil: ({ document }) => void (document.name = ""),
    pointer: "/name",
  },
  {
    code: "PS201",
    title: "a path as the project's name",
    spoil: ({ document }) => void (document.name = "../../x"),
    pointer: "/name",
    help: '"x"',
  },
  {
    code: "PS201",
    title: "a field that starts in upper case",
    spoil: ({ ad }) => void (ad.fields![0]!.name = "Text"),
    pointer: "/messages/1/fields/0/name",
    help: '"text"',
  },
  {
    code: "PS202",
    title: "row 66: a name of 10 kB",
    spoil: ({ document }) => void (document.name = "a".repeat(10_240)),
    pointer: "/name",
  },
  {
    code: "PS202",
    title: "a name of 65 characters",
    spoil: ({ front, pick, document }) => {
      front.name = "p".repeat(65);
      pick.join = { pool: front.name };
      document.binaries![0]!.placement!["GetAd"] = { pool: front.name };
    },
    pointer: "/binaries/0/pools/0/name",
    node: `pool:ads-server/${"p".repeat(65)}`,
  },
  {
    code: "PS203",
    title: "row 67: `class` as a field",
    spoil: ({ ad }) => void (ad.fields![0]!.name = "class"),
    pointer: "/messages/1/fields/0/name",
    node: "message:Ad",
    help: '"class_value"',
  },
  {
    code: "PS203",
    title: "row 67: `co_await` as a stage",
    spoil: ({ pick }) => void (pick.id = "co_await"),
    pointer: "/flows/0/stages/0/id",
    help: '"co_await_stage"',
  },
  {
    code: "PS203",
    title: "`module` as the project",
    spoil: ({ document }) => void (document.name = "module"),
    pointer: "/name",
  },
  {
    code: "PS204",
    title: "row 67: `NULL` as a message",
    spoil: ({ document }) => void document.messages!.push({ name: "NULL" }),
    pointer: "/messages/2/name",
    help: '"NULLMessage"',
  },
  {
    code: "PS204",
    title: "`EOF` as an enum value",
    spoil: ({ tier }) => void (tier.values![1]!.name = "EOF"),
    pointer: "/enums/0/values/1/name",
    help: '"EOF_VALUE"',
  },
  {
    code: "PS204",
    title: "`st_mtime` as a field",
    spoil: ({ ad }) => void (ad.fields![0]!.name = "st_mtime"),
    pointer: "/messages/1/fields/0/name",
  },
  {
    code: "PS204",
    title: "`linux` as a binary",
    spoil: ({ binary }) => void (binary.name = "linux"),
    pointer: "/binaries/0/name",
  },
  {
    code: "PS205",
    title: "`std` as the project",
    spoil: ({ document }) => void (document.name = "std"),
    pointer: "/name",
  },
  {
    code: "PS205",
    title: "a function of the C library as the project",
    spoil: ({ document }) => void (document.name = "signal"),
    pointer: "/name",
    help: '"signal_app"',
  },
  {
    code: "PS205",
    title: "the built-in message",
    spoil: ({ document }) => void document.messages!.push({ name: "Failure" }),
    pointer: "/messages/2/name",
  },
  {
    code: "PS205",
    title: "a target of the build as a binary",
    spoil: ({ binary }) => void (binary.name = "test"),
    pointer: "/binaries/0/name",
  },
  {
    code: "PS205",
    title: "two underscores in a row",
    spoil: ({ ad }) => void (ad.fields![0]!.name = "a__b"),
    pointer: "/messages/1/fields/0/name",
  },
];
