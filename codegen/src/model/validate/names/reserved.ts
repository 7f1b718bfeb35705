import { DEFAULT_POOL } from "../../topology/index.js";
import { CONTEXTUAL_KEYWORDS, KEYWORDS } from "./keywords.js";
import type { NameKind } from "./patterns.js";

/** Data, by far larger than all rules: in a file of its own, read when the first drawing is to be checked. */
const { GLOBALS, MACROS, TEST_MACROS } = await import("./data/index.js");

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** `NDEBUG` is defined by builds rather than by headers. */
const MACRO_NAMES: ReadonlySet<string> = new Set([...words(MACROS), "NDEBUG"]);
const TEST_MACRO_NAMES = words(TEST_MACROS);
const GLOBAL_NAMES: ReadonlySet<string> = new Set([...words(GLOBALS), "main"]);

/** Namespaces of the language, the libraries and the runtime. */
const NAMESPACES = words("std posix abi penstock protozero testing benchmark internal boost nlohmann google");
/** Types of the runtime and of generated code that user code names without a second thought. */
const RUNTIME_TYPES = words("Failure Handler Task Future Stub State Shared Context Error Message");
/** `messages.hpp` is looked for beside the header that includes it first. */
const HEADERS = words("Messages");
/** Targets of CMake and ninja, and what else stands in a build folder. */
const BUILD_TARGETS = words(
  `all help install preinstall clean edit_cache rebuild_cache test package package_source list_install_components
  depend codegen cmake ccache`,
);

/** Why a name is taken, in words that continue "... is", or undefined when it is free. */
export interface Taken {
  code: "PS203" | "PS204" | "PS205";
  why: string;
}

const TYPE_KINDS: ReadonlySet<NameKind> = new Set(["message", "enum", "service", "implementation", "flow"]);

/** Looks a well-formed name up in every list that matters for its kind. O(1). */
export function takenBy(kind: NameKind, name: string): Taken | undefined {
  if (kind === "pool" && name === DEFAULT_POOL) return undefined;
  if (KEYWORDS.has(name)) return { code: "PS203", why: "a keyword of C++" };
  if (CONTEXTUAL_KEYWORDS.has(name)) return { code: "PS203", why: "a word with a meaning of its own in C++" };
  if (MACRO_NAMES.has(name)) return { code: "PS204", why: "a macro of the C or C++ headers" };
  // Those without underscore (FAIL, TEST) are followed by a parenthesis, which no enum value is.
  if (TEST_MACRO_NAMES.has(name) && (TYPE_KINDS.has(kind) || name.includes("_")))
    return { code: "PS204", why: "a macro of the headers that tests include" };
  if (name.includes("__"))
    return { code: "PS205", why: "reserved: C++ keeps names with two underscores in a row for itself" };
  if (name.startsWith("PENSTOCK_")) return { code: "PS205", why: "kept for the runtime's own macros" };
  if (TYPE_KINDS.has(kind) && RUNTIME_TYPES.has(name)) return { code: "PS205", why: "a type of the runtime" };
  if ((kind === "service" || kind === "flow") && HEADERS.has(name))
    return { code: "PS205", why: "the name of a generated header" };
  if (kind === "binary" && BUILD_TARGETS.has(name))
    return { code: "PS205", why: "a target or folder of the build" };
  if (name === "std" || name === "penstock") return { code: "PS205", why: "reserved" };
  if (kind !== "project") return undefined;
  if (NAMESPACES.has(name) || /^std[0-9]+$/.test(name))
    return { code: "PS205", why: "a namespace of C++ or of a library" };
  if (GLOBAL_NAMES.has(name))
    return { code: "PS205", why: "declared by the C library, so no namespace can have the name" };
  return undefined;
}

/** All lists, for people and tools that want to see them (`penstock schema --names`). */
export const nameLists = (): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries({
      keywords: [...KEYWORDS, ...CONTEXTUAL_KEYWORDS],
      macros: MACRO_NAMES,
      testMacros: TEST_MACRO_NAMES,
      types: RUNTIME_TYPES,
      headers: HEADERS,
      targets: BUILD_TARGETS,
      namespaces: NAMESPACES,
      globals: GLOBAL_NAMES,
    }).map(([list, names]) => [list, [...names].sort()]),
  );
