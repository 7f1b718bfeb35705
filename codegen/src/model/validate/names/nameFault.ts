import { quote } from "../../diagnostics/index.js";
import { LIMITS } from "../../topology/index.js";
import { NAME_PATTERNS, type NameKind } from "./patterns.js";
import { takenBy, type Taken } from "./reserved.js";

/** What is wrong with a name by itself, and a legal one near it. */
export interface NameFault {
  code: "PS201" | "PS202" | Taken["code"];
  message: string;
  suggestion: string;
}

/** The first thing wrong with `name` as the name of a `kind`; undefined when it is a good one. O(length). */
export function nameFault(kind: NameKind, name: string): NameFault | undefined {
  const fault = (code: NameFault["code"], message: string): NameFault => ({
    code,
    message,
    suggestion: legalName(kind, name),
  });
  const { pattern, words } = NAME_PATTERNS[kind];
  if (name === "") return fault("PS201", `${article(kind)} has an empty name`);
  if (name.length > LIMITS.nameLength)
    return fault(
      "PS202",
      `The name of the ${kind} ${quote(name)} has ${name.length} characters, more than ${LIMITS.nameLength}`,
    );
  if (!pattern.test(name))
    return fault("PS201", `${quote(name)} is no name for ${article(kind).toLowerCase()}: use ${words}`);
  const taken = takenBy(kind, name);
  return (
    taken &&
    fault(taken.code, `${quote(name)} cannot name ${article(kind).toLowerCase()}: it is ${taken.why}`)
  );
}

const article = (kind: NameKind): string =>
  kind === "project" ? "The project" : `${/^[aeiou]/.test(kind) ? "An" : "A"} ${kind}`;

/** Words added to a name that is taken. */
const SUFFIX: Readonly<Record<NameKind, string>> = {
  project: "_app",
  message: "Message",
  field: "_value",
  enum: "Enum",
  "enum value": "_VALUE",
  service: "Service",
  implementation: "Impl",
  flow: "Flow",
  stage: "_stage",
  bundle: "Bundle",
  binary: "-server",
  pool: "_pool",
  preset: "-preset",
};
/** Names for what has not one usable character. */
const FALLBACK: Readonly<Record<NameKind, string>> = {
  project: "my_project",
  message: "MyMessage",
  field: "my_field",
  enum: "MyEnum",
  "enum value": "MY_VALUE",
  service: "MyService",
  implementation: "MyImplementation",
  flow: "MyFlow",
  stage: "my_stage",
  bundle: "MyBundle",
  binary: "my-server",
  pool: "my_pool",
  preset: "my-preset",
};

const isLegal = (kind: NameKind, name: string): boolean =>
  name.length <= LIMITS.nameLength &&
  NAME_PATTERNS[kind].pattern.test(name) &&
  takenBy(kind, name) === undefined;

/**
 * A name of the kind's form, free of every list, as near to `wish` as can be. Always legal; a legal wish is itself, so
 * that what was named by this is known again by its name.
 */
export function legalName(kind: NameKind, wish: string): string {
  if (isLegal(kind, wish)) return wish;
  const { first, rest } = NAME_PATTERNS[kind];
  const room = LIMITS.nameLength - SUFFIX[kind].length;
  const upperOnly = !rest.test("a");
  const lowerOnly = !rest.test("A");
  const separator = rest.test("_") ? "_" : "";
  const parts = wish
    .slice(0, 4 * LIMITS.nameLength)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== "");
  const separated =
    lowerOnly || upperOnly ? parts.map((part) => part.replace(/([a-z0-9])([A-Z])/g, "$1_$2")) : parts;
  let name = separator === "" ? parts.map(capitalised).join("") : separated.join(separator);
  if (upperOnly) name = name.toUpperCase();
  if (lowerOnly) name = name.toLowerCase();
  if ((kind === "binary" || kind === "preset") && wish.includes("-")) name = name.replace(/_/g, "-");
  name = name
    .replace(/^[0-9_-]+/, "")
    .slice(0, room)
    .replace(/[_-]+$/, "");
  name =
    (first === "upper" ? name.slice(0, 1).toUpperCase() : name.slice(0, 1).toLowerCase()) + name.slice(1);
  if (!NAME_PATTERNS[kind].pattern.test(name)) return FALLBACK[kind];
  if (takenBy(kind, name) !== undefined) name += SUFFIX[kind];
  return takenBy(kind, name) === undefined ? name : FALLBACK[kind];
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
