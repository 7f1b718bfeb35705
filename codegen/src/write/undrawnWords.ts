import { codeOnly } from "./cppPieces.js";
import { placed, type Placed } from "./wordChanges.js";

/** What a file of the user's may name: the drawing's side of its handler. */
export interface DrawnWords {
  /** Services that the handler's `calls` has. */
  calls: readonly string[];
  /** Flows that its `flows` has. */
  flows: readonly string[];
  /** The message that it is given; "" when that has a name of C++ alone. */
  request: string;
  /** Fields of that message; undefined when they are not known. */
  fields: readonly string[] | undefined;
  /** Every message and enum of the drawing. */
  types: ReadonlySet<string>;
}

export type WordKind = "call" | "flow" | "field" | "message";

/** A word of the user's code that means something which is not drawn (any more). */
export type UndrawnWord = Placed<{
  kind: WordKind;
  word: string;
  /** Of its first letter in the text. */
  offset: number;
}>;

const CALL = /(?<!\.)\b(?:calls\s*\.|calls_type::)\s*([A-Z]\w*)/g;
const FLOW = /(?<!\.)\b(?:flows\s*\.|flows_type::)\s*([A-Z]\w*)/g;
const FIELD = /(?<!\.|->)\brequest\s*\.\s*([A-Za-z_]\w*)/g;
const SIGNATURE = /::handle\s*\(\s*(?:const\s+)?(?:\w+::)*(\w+)\s*(?:&\s*)?(?:request\s*)?[),]/;
/** Of a file that was written for a drawing, whatever has been renamed there since. */
const MOST_WORDS = 1_000;
/** `Type& request`, with the type's last word. */
const DECLARED = /\b(\w+)(?:<[^<>]*>)?(?:\s+|\s*[&*]{1,2}\s*)request\b/g;
const NO_TYPES = new Set(["return", "co_return", "co_await", "co_yield", "throw", "const", "in", "delete"]);

/**
 * Finds the words at once by reading the text, without a compiler: `calls.X`, `flows.X`, `request.x` and the message
 * in a handler's signature. Comments and literals are not read. It is sure of what it names only as far
 * as a text can tell, so it says less rather than too much: nothing of a file that is full of them. O(length of the text).
 */
export function undrawnWords(text: string, drawn: DrawnWords): UndrawnWord[] {
  const code = codeOnly(text);
  const found: Omit<UndrawnWord, "line" | "column">[] = [];
  const look = (kind: WordKind, pattern: RegExp, words: readonly string[]): void => {
    const known = new Set(words);
    for (const match of code.matchAll(pattern)) {
      const word = match[1] as string;
      if (!known.has(word)) found.push({ kind, word, offset: match.index + match[0].length - word.length });
    }
  };
  look("call", CALL, drawn.calls);
  look("flow", FLOW, drawn.flows);
  const message = SIGNATURE.exec(code)?.[1] ?? drawn.request;
  if (drawn.request !== "" && message !== drawn.request && !drawn.types.has(message)) {
    for (const match of code.matchAll(new RegExp(`\\b${message}\\b`, "g")))
      found.push({ kind: "message", word: message, offset: match.index });
  }
  if (drawn.fields && isTheRequest(code, new Set([drawn.request, message])))
    look("field", FIELD, drawn.fields);
  if (found.length > MOST_WORDS) return [];
  return placed(
    text,
    found.sort((a, b) => a.offset - b.offset),
  );
}

/** Whether `request` means the handler's wherever it stands: nothing else of that name is declared. */
const isTheRequest = (code: string, types: ReadonlySet<string>): boolean =>
  [...code.matchAll(DECLARED)].every(([, type = ""]) => NO_TYPES.has(type) || types.has(type));
