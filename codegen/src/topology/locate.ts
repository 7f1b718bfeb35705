import type { Problem } from "../diagnostics/index.js";
import { withoutMark } from "./json/readJson.js";
import { placesOf } from "./json/places.js";
import { decodeUtf8 } from "./text/utf8.js";

const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/"));

/** The pointer and those of what holds it, from the innermost. */
function withHolders(pointer: string): string[] {
  const pointers = [pointer];
  for (let at = pointer; at !== ""; at = parentOf(at)) pointers.push(parentOf(at));
  return pointers;
}

/**
 * The problems with line and column in the text that they are about, which reads as JSON; a place that the text
 * does not write out (a default) is that of what holds it. Those of other files, or with a line already, stay.
 */
export function located(problems: readonly Problem[], input: string | Uint8Array): Problem[] {
  const isPlaced = ({ file, line }: Problem): boolean => file !== undefined || line !== undefined;
  if (problems.every(isPlaced)) return [...problems];
  const decoded = typeof input === "string" ? { text: input } : decodeUtf8(input);
  if (!("text" in decoded)) return [...problems];
  const wanted = problems.filter((one) => !isPlaced(one)).flatMap(({ pointer }) => withHolders(pointer));
  const places = placesOf(withoutMark(decoded.text), wanted);
  return problems.map((problem) => {
    const holder = isPlaced(problem) ? undefined : withHolders(problem.pointer).find((at) => places.has(at));
    return holder === undefined ? problem : { ...problem, ...places.get(holder) };
  });
}
