import { cppTokens, isName } from "./cppTokens.js";
import type { DrawnType, RenamedNames } from "./renamedNames.js";

/** Messages and enums of the last generation, with their fields and values. */
export const TYPES_PATH = "generated/messages.hpp";
/** In bytes; of more it is not known what was generated. */
export const LONGEST_TYPES = 4_000_000;

/** What the user's code may name: what is drawn since, nobody can have meant. */
export function generatedAmong(names: RenamedNames, header: string): RenamedNames {
  const generated = generatedTypes(header);
  const known = [...names.types].flatMap(([name, type]): [string, DrawnType][] => {
    const members = generated.get(name);
    if (members === undefined) return [];
    return [
      [name, { ...type, members: new Map([...type.members].filter(([member]) => members.has(member))) }],
    ];
  });
  return { ...names, types: new Map(known), isGenerated: true };
}

function generatedTypes(header: string): Map<string, ReadonlySet<string>> {
  const { words, partners } = cppTokens(header);
  const types = new Map<string, ReadonlySet<string>>();
  for (let at = 0; at < words.length; at++) {
    const name = words[at + 1];
    if ((words[at] !== "struct" && words[at] !== "class") || !isName(name)) continue;
    // `struct Order {`, `enum class Tier : std::int32_t {`
    const open = [2, 6].map((behind) => at + behind).find((place) => words[place] === "{");
    if (open === undefined) continue;
    const members = new Set<string>();
    for (let member = open + 1; member < partners[open]!; member++)
      if (isName(words[member]) && /^[;={]$/.test(words[member + 1] ?? "")) members.add(words[member]!);
    types.set(name, members);
    at = Math.max(at, partners[open]!);
  }
  return types;
}
