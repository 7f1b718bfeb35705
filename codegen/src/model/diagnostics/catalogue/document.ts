import type { CatalogueEntry } from "./entry.js";

/** 1xx: the text, the shape and the size of the document. */
export const DOCUMENT = {
  PS101: {
    severity: "error",
    title: "Not JSON",
    explanation: "The text breaks the grammar of JSON, so nothing after that place can be trusted.",
    help: "Correct the text at the line and column given; everything else is checked once it reads.",
  },
  PS102: {
    severity: "error",
    title: "Not UTF-8",
    explanation:
      "topology.json is UTF-8 (a byte order mark is accepted). Another encoding would change names and texts.",
    help: "Save the file as UTF-8.",
  },
  PS103: {
    severity: "error",
    title: "Comment",
    explanation: "JSON has no comments, and a comment would be lost when the designer saves.",
    help: 'Move the text into the "doc" of the thing it is about.',
  },
  PS104: {
    severity: "error",
    title: "Duplicate key",
    explanation: "Readers disagree about which of two equal keys counts, so neither is taken.",
    help: "Keep one of the two.",
  },
  PS105: {
    severity: "error",
    title: "Half a character",
    explanation: "A lone surrogate is no character and cannot be written as UTF-8.",
    help: "Write the whole character, or both of its \\u escapes.",
  },
  PS106: {
    severity: "error",
    title: "NUL character",
    explanation: "A NUL ends strings in C and in file names, so no text may hold one.",
    help: "Remove the character.",
  },
  PS107: {
    severity: "error",
    title: "Refused key",
    explanation: "`__proto__`, `constructor` and `prototype` can reach into the program that reads them.",
    help: "Remove the key, or give it another name.",
  },
  PS108: {
    severity: "error",
    title: "Nested too deep",
    explanation:
      "Nothing in the format needs more than 8 levels; 32 are read, so that a hostile file cannot exhaust the reader.",
    help: "Remove the extra levels of lists or objects.",
  },
  PS110: {
    severity: "error",
    title: "Made by a newer version",
    explanation:
      "The format version is higher than this Penstock knows, so it cannot know what the file means. It is opened read-only and left as it is.",
    help: "Open it with the newer Penstock that made it, or update this one.",
  },
  PS111: {
    severity: "error",
    title: "Cannot be migrated",
    explanation:
      "The file has an older format version and something in it that the way to the present version cannot carry over.",
    help: "Correct the place named, then load the file again; the original stays as it is.",
  },
  PS112: {
    severity: "error",
    title: "No such format version",
    explanation: '"penstock" is the format version: a whole number, at present 1.',
    help: 'Write "penstock": 1.',
  },
  PS120: {
    severity: "error",
    title: "Unknown key",
    explanation:
      "A key that the format does not have is refused, because dropping it silently would drop meaning.",
    help: "Remove the key, or correct its spelling.",
  },
  PS121: {
    severity: "error",
    title: "Missing key",
    explanation: "The format needs this key; the problem points at the object that lacks it.",
    help: "Add the key.",
  },
  PS122: {
    severity: "error",
    title: "Wrong type",
    explanation: "The value has another JSON type than the format asks for.",
    help: "Write a value of the type asked for.",
  },
  PS123: {
    severity: "error",
    title: "Not one of the choices",
    explanation: "The key takes one of a few words.",
    help: "Use one of the words listed.",
  },
  PS124: {
    severity: "error",
    title: "null",
    explanation: 'null never means "left out": a key that has no value is not written.',
    help: "Remove the key.",
  },
  PS130: {
    severity: "error",
    title: "Too many nodes",
    explanation: "A topology holds at most 10,000 nodes (services and stages together).",
    help: "Split it into several projects.",
  },
  PS131: {
    severity: "error",
    title: "Too many edges",
    explanation: "A topology holds at most 50,000 edges (calls and links between stages together).",
    help: "Split it into several projects.",
  },
  PS133: {
    severity: "error",
    title: "Too many mistakes",
    explanation: "The document is wrong in so many places that they are not all listed.",
    help: "Correct what is listed (or load the right file), then check again.",
  },
  PS140: {
    severity: "warning",
    title: "Layout not usable",
    explanation:
      "layout.json holds looks only, so a part of it that cannot be read is dropped and everything opens all the same.",
    help: "Nothing to do: things without a place are laid out automatically, and the next save writes a sound file.",
  },
  // The schema's, and of the rule that looks at what the schema cannot.
  PS501: {
    severity: "error",
    title: "Thread count out of range",
    explanation: "A pool has 1 to 1024 threads.",
    help: "Use a number in that range.",
  },
} as const satisfies Record<string, CatalogueEntry>;
