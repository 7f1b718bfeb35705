/** A word of a text, and what it is to be. */
export interface WordChange {
  /** Of its first letter in the text. */
  offset: number;
  word: string;
  to: string;
}

/** The text with words of it replaced, which are in its order. */
export function withChanges(text: string, changes: readonly WordChange[]): string {
  let result = "";
  let done = 0;
  for (const { offset, word, to } of changes) {
    result += text.slice(done, offset) + to;
    done = offset + word.length;
  }
  return result + text.slice(done);
}

/** Where words are after changes before them; both are in the order of the text. */
export function afterChanges<T extends { offset: number }>(
  words: readonly T[],
  changes: readonly WordChange[],
): T[] {
  let by = 0;
  let next = 0;
  return words.map((word) => {
    for (let change = changes[next]; change !== undefined && change.offset < word.offset;) {
      by += change.to.length - change.word.length;
      change = changes[++next];
    }
    return { ...word, offset: word.offset + by };
  });
}

/** With its line and column, both from 1. */
export type Placed<T> = T & { line: number; column: number };

/** `words` with their places; they are in the order of the text. */
export function placed<T extends { offset: number }>(text: string, words: readonly T[]): Placed<T>[] {
  let line = 1;
  let start = 0;
  return words.map((word) => {
    for (let next = text.indexOf("\n", start); next !== -1 && next < word.offset;) {
      line += 1;
      start = next + 1;
      next = text.indexOf("\n", start);
    }
    return { ...word, line, column: word.offset - start + 1 };
  });
}
