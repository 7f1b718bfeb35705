import type { CatalogueEntry } from "./entry.js";

/** 2xx: names, messages and enums. */
export const NAMES = {
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
  PS206: {
    severity: "error",
    title: "Name used twice",
    explanation: "Names are unique within their list.",
    help: "Rename one of the two.",
  },
  PS207: {
    severity: "error",
    title: "Names that collide",
    explanation: "Two names differ only in case or become one and the same file, C++, JSON or protobuf name.",
    help: "Rename one of the two.",
  },
  PS208: {
    severity: "error",
    title: "Name taken by another kind of thing",
    explanation:
      "Messages, enums, services and flows share one C++ namespace, so a name belongs to one of them.",
    help: "Rename one of the two.",
  },
  PS210: {
    severity: "error",
    title: "Unknown type",
    explanation: "The type of a field is a scalar type, or a message or enum of this topology.",
    help: "Use a type that exists, or add the message or enum.",
  },
  PS211: {
    severity: "error",
    title: "Tag out of range",
    explanation: "Tags are whole numbers from 1 to 536870911 (2^29-1).",
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
  PS214: {
    severity: "error",
    title: "Modifiers that exclude each other",
    explanation:
      "`repeated`, `optional` and `length` say in three ways how many values a field has; at most one can hold.",
    help: "Keep one of them.",
  },
  PS215: {
    severity: "error",
    title: "Length out of range",
    explanation: "A fixed array has 1 to 65536 elements.",
    help: "Use a length in that range, or `repeated` for a list of any length.",
  },
  PS216: {
    severity: "error",
    title: "Message contains itself",
    explanation: "A message that holds itself by value would be endless.",
    help: "Make one field of the cycle `optional` or `repeated`.",
  },
  PS217: {
    severity: "error",
    title: "Enum without values",
    explanation: "An enum has at least one value (its first is the default).",
    help: "Add a value with the number 0.",
  },
  PS218: {
    severity: "error",
    title: "First enum value is not 0",
    explanation: "As in proto3, the first value is the default and has the number 0.",
    help: "Put a value with the number 0 first.",
  },
  PS219: {
    severity: "error",
    title: "Enum number out of range",
    explanation: "Enum numbers are 32-bit: -2147483648 to 2147483647.",
    help: "Use a number in that range.",
  },
  PS220: {
    severity: "error",
    title: "Enum number used twice",
    explanation: "Two values with one number would be one value with two names.",
    help: "Give each value its own number.",
  },
  PS221: {
    severity: "error",
    title: "Message too large",
    explanation:
      "What a message holds by value, in fixed arrays above all, takes at most 1048576 bytes: larger ones overflow the stacks of threads, and the compiler refuses the largest.",
    help: "Make the array shorter, or use `repeated`, whose elements lie outside of the message.",
  },
} as const satisfies Record<string, CatalogueEntry>;
