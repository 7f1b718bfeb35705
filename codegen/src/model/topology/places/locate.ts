import { pathOf, type Problem } from "../../diagnostics/index.js";
import { withoutMark, placesOf } from "../../json/index.js";
import { decodeUtf8 } from "../../text/index.js";

const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/"));

/** The pointer and those of what holds it, from the innermost. */
function withHolders(pointer: string): string[] {
  const pointers = [pointer];
  for (let at = pointer; at !== ""; at = parentOf(at)) pointers.push(parentOf(at));
  return pointers;
}

const THREAD = /^(\/binaries\/\d+\/(?:presets\/\d+\/)?pools\/\d+\/threads)\/(\d+)(.*)$/;

/** Where the text has what a pointer into a topology means: threads alike may be one object, or a number. */
function threadsAsWritten(text: string): (pointer: string) => string {
  let document: unknown;
  return (pointer) => {
    const [, threads, index, rest] = THREAD.exec(pointer) ?? [];
    if (threads === undefined) return pointer;
    document ??= JSON.parse(text);
    let list = document;
    for (const step of pathOf(threads)) list = (list as Record<string, unknown> | undefined)?.[step];
    if (!Array.isArray(list)) return threads;
    let before = 0;
    const at = list.findIndex(
      (thread: { count?: number } | null) => (before += thread?.count ?? 1) > Number(index),
    );
    return `${threads}/${at}${rest}`;
  };
}

/**
 * The problems with line and column in the text that they are about, which reads as JSON; a place that the text
 * does not write out (a default) is that of what holds it. Those of other files, or with a line already, stay.
 *
 * @param pointers what they point into: a topology has an object for each thread, a text may have one for many
 */
export function located(
  problems: readonly Problem[],
  input: string | Uint8Array,
  pointers: "of the topology" | "of the text" = "of the topology",
): Problem[] {
  const isPlaced = ({ file, line }: Problem): boolean => file !== undefined || line !== undefined;
  if (problems.every(isPlaced)) return [...problems];
  const decoded = typeof input === "string" ? { text: input } : decodeUtf8(input);
  if (!("text" in decoded)) return [...problems];
  const text = withoutMark(decoded.text);
  const written = pointers === "of the text" ? (pointer: string) => pointer : threadsAsWritten(text);
  const wanted = problems
    .filter((one) => !isPlaced(one))
    .flatMap(({ pointer }) => withHolders(written(pointer)));
  const places = placesOf(text, wanted);
  return problems.map((problem) => {
    const holder = isPlaced(problem)
      ? undefined
      : withHolders(written(problem.pointer)).find((at) => places.has(at));
    return holder === undefined ? problem : { ...problem, ...places.get(holder) };
  });
}
