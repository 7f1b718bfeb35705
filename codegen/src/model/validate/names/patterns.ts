/** What a name belongs to; each kind has its form and its own reserved words. */
export const NAME_KINDS = [
  "project",
  "message",
  "field",
  "enum",
  "enum value",
  "service",
  "implementation",
  "flow",
  "stage",
  "bundle",
  "binary",
  "pool",
  "preset",
] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** First letter, what may follow, and both in words. */
export interface NamePattern {
  pattern: RegExp;
  /** Continues "use ..."; what people are told, who are shown no regular expression. */
  words: string;
  /** Characters that a name of this kind can hold behind its first one. */
  rest: RegExp;
  first: "upper" | "lower";
}

const PASCAL: NamePattern = {
  pattern: /^[A-Z][A-Za-z0-9]*$/,
  words: "letters and digits, beginning with a capital letter",
  rest: /[A-Za-z0-9]/,
  first: "upper",
};
const CAMEL: NamePattern = {
  pattern: /^[a-z][A-Za-z0-9_]*$/,
  words: "letters, digits and _, beginning with a lower-case letter",
  rest: /[A-Za-z0-9_]/,
  first: "lower",
};
const KEBAB: NamePattern = {
  pattern: /^[a-z][a-z0-9_-]*$/,
  words: "lower-case letters, digits, _ and -, beginning with a letter",
  rest: /[a-z0-9_-]/,
  first: "lower",
};

export const NAME_PATTERNS: Readonly<Record<NameKind, NamePattern>> = {
  project: {
    pattern: /^[a-z][a-z0-9_]*$/,
    words: "lower-case letters, digits and _, beginning with a letter",
    rest: /[a-z0-9_]/,
    first: "lower",
  },
  message: PASCAL,
  field: CAMEL,
  enum: PASCAL,
  "enum value": {
    pattern: /^[A-Z][A-Z0-9_]*$/,
    words: "capital letters, digits and _, beginning with a letter",
    rest: /[A-Z0-9_]/,
    first: "upper",
  },
  service: PASCAL,
  implementation: PASCAL,
  flow: PASCAL,
  stage: CAMEL,
  bundle: PASCAL,
  binary: KEBAB,
  pool: CAMEL,
  preset: KEBAB,
};
