/** Paint's own codes (`paint.ts`): all they can do is to colour. */
const PAINTED = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;
/** Colours of compilers and handlers: dropped. */
const COLOUR = /\u001b\[[\d;:]*m/g;
/** C0 but newline and tab, DEL, C1, and what turns the order of letters around. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const asEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

const harmless = (text: string): string => text.replace(COLOUR, "").replace(CONTROL, asEscape);

/**
 * What may be written to a terminal. Compilers, CMake, handlers' logs and drawings of others say what they
 * like: no text of theirs moves the cursor, sets a title, answers a question or fills a clipboard. It
 * stands before every write of the command line; `coloured` keeps the colours of paint.
 */
export function terminalText(text: string, coloured: boolean): string {
  const plain = text.replaceAll("\r\n", "\n");
  if (!coloured) return harmless(plain);
  // Every second part is a code of paint's, as the pattern has one group.
  return plain
    .split(PAINTED)
    .map((part, at) => (at % 2 === 1 ? part : harmless(part)))
    .join("");
}

/** The same for JSON, whose strings mean what they meant. */
export const terminalJson = (value: unknown): string => JSON.stringify(value).replace(CONTROL, asEscape);
