/** Columns of a line of generated code, as its .clang-format has it. */
export const COLUMN_LIMIT = 100;

/** Columns a formatter counts for a text: wide scripts take two. */
const columns = (text: string): number => {
  let width = 0;
  for (const character of text) width += character.codePointAt(0)! >= 0x1100 ? 2 : 1;
  return width;
};

/** Breaks a line between words so that no part is wider than `width` (a longer word stays whole). */
export function wrapWords(line: string, width: number): string[] {
  if (columns(line) <= width) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current !== "" && columns(longer) > width) {
      lines.push(current.trimEnd());
      current = word;
    } else {
      current = longer;
    }
  }
  return [...lines, current.trimEnd()];
}
