/** A place in a text, both from 1; columns count characters (code points), as people do. */
export interface Position {
  line: number;
  column: number;
}

/** Line and column of an offset in UTF-16 units; lines end at LF, CR or CR LF. O(offset). */
export function positionOf(text: string, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) {
      line += 1;
      lineStart = at + 1;
    }
  }
  let column = 1;
  for (let at = lineStart; at < offset; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && at + 1 < offset) at += 1;
    column += 1;
  }
  return { line, column };
}
