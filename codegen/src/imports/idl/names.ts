import type { Type } from "./syntax.js";

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** `RpcClass` of `rpc_class` */
const wordsJoined = (name: string): string => name.split("_").map(capitalised).join("");

/** `ABThing` of `a::b::thing` */
export const nameOf = (path: readonly string[]): string => path.map(wordsJoined).join("");

/** What an overload gets behind its name: `FloatFloat`, `Char100`; `Void` without parameters. */
export const suffixOf = (types: readonly Type[]): string =>
  types.length === 0
    ? "Void"
    : types
        .map(
          ({ of, length }) => `${wordsJoined(typeof of === "string" ? of : of.path.at(-1)!)}${length ?? ""}`,
        )
        .join("");

/** What a comment says, then the name in the file where that is another one. */
export function docWith(doc: string | undefined, from: string, name: string): { doc?: string } {
  const lines = [...(doc === undefined ? [] : [doc]), ...(from === name ? [] : [`IDL: ${from}`])];
  return lines.length === 0 ? {} : { doc: lines.join("\n") };
}
