import protobuf from "protobufjs";
import { quote } from "../../model/diagnostics/index.js";
import { NotReadable } from "../described/described.js";
import { parseInto } from "./parseInto.js";
import { completeName } from "./reflection.js";

/** Where something is declared. */
export interface Spot {
  file: string;
  line: number;
}

/** Where the parser did not see that something is wrong it stumbles, and its words are of JavaScript. */
function wordsOf(error: unknown): string {
  if (error instanceof TypeError) return "what stands here is no protobuf";
  if (error instanceof RangeError) return "this is nested too deeply";
  return error instanceof Error ? error.message : String(error);
}
const WITH_LINE = / ?\((?:[^()]*, )?line (\d+)\)/;

/** What the parser says, at its own line where it has one, else at `spot`; at the end of `text` it counts one more. */
export function notReadable(error: unknown, spot: Spot, text?: string): NotReadable {
  if (error instanceof NotReadable) return error;
  const said = wordsOf(error).replace(/^illegal (.*) 'null'/, "the file ends too early");
  const own = WITH_LINE.exec(said)?.[1];
  const line = own === undefined ? spot.line : Math.min(Number(own), text?.split("\n").length ?? Infinity);
  return new NotReadable(said.replace(WITH_LINE, ""), spot.file, line);
}

/**
 * The line at which the parser throws that: of names and numbers that are taken it says none. By halves: so much of
 * the text is parsed that it just does.
 */
export function firstLineWith(error: unknown, file: string, text: string): number {
  const said = wordsOf(error);
  if (WITH_LINE.test(said)) return 1;
  const lines = text.split("\n");
  const isSaidOf = (count: number): boolean => {
    try {
      parseInto(new protobuf.Root(), file, lines.slice(0, count).join("\n"));
    } catch (again) {
      return wordsOf(again) === said;
    }
    return false;
  };
  let low = 1;
  for (let high = lines.length; low < high;) {
    const middle = (low + high) >> 1;
    if (isSaidOf(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Everything that names a type. */
function* namersIn(space: protobuf.NamespaceBase): Generator<protobuf.ReflectionObject> {
  for (const item of space.nestedArray) {
    if (item instanceof protobuf.Type) yield* item.fieldsArray;
    if (item instanceof protobuf.Service) yield* item.methodsArray;
    if (item instanceof protobuf.Namespace || item instanceof protobuf.Type) yield* namersIn(item);
  }
}

/** Who could not be resolved, and where that stands. */
export function unresolved(
  error: unknown,
  root: protobuf.Root,
  texts: readonly { file: string; text: string }[],
  spotOf: (name: string) => Spot,
): NotReadable {
  const said = wordsOf(error);
  const syntax = /^Unknown edition: ([^]*)$/.exec(said)?.[1];
  if (syntax !== undefined)
    for (const { file, text } of texts) {
      const at = /\b(syntax|edition)\s*=/.exec(text)?.index ?? -1;
      if (at === -1 || !text.slice(at).includes(syntax)) continue;
      const line = text.slice(0, at).split("\n").length;
      return new NotReadable(`${quote(syntax)} is no syntax: proto2, proto3 or an edition`, file, line);
    }
  for (const item of namersIn(root))
    try {
      item.resolve();
    } catch (again) {
      if (wordsOf(again) === said) return notReadable(again, spotOf(completeName(item)));
    }
  return notReadable(error, spotOf(""));
}
