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

/** First letter, what may follow, and an example for people. */
export interface NamePattern {
  pattern: RegExp;
  /** Characters that a name of this kind can hold behind its first one. */
  rest: RegExp;
  first: "upper" | "lower";
}

const PASCAL: NamePattern = { pattern: /^[A-Z][A-Za-z0-9]*$/, rest: /[A-Za-z0-9]/, first: "upper" };
const CAMEL: NamePattern = { pattern: /^[a-z][A-Za-z0-9_]*$/, rest: /[A-Za-z0-9_]/, first: "lower" };

export const NAME_PATTERNS: Readonly<Record<NameKind, NamePattern>> = {
  project: { pattern: /^[a-z][a-z0-9_]*$/, rest: /[a-z0-9_]/, first: "lower" },
  message: PASCAL,
  field: CAMEL,
  enum: PASCAL,
  "enum value": { pattern: /^[A-Z][A-Z0-9_]*$/, rest: /[A-Z0-9_]/, first: "upper" },
  service: PASCAL,
  implementation: PASCAL,
  flow: PASCAL,
  stage: CAMEL,
  bundle: PASCAL,
  binary: { pattern: /^[a-z][a-z0-9_-]*$/, rest: /[a-z0-9_-]/, first: "lower" },
  pool: CAMEL,
  preset: { pattern: /^[a-z][a-z0-9_-]*$/, rest: /[a-z0-9_-]/, first: "lower" },
};
