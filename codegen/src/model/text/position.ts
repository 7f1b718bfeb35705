/** A place in a text, both from 1; columns count characters (code points), as people do. */
export interface Position {
  line: number;
  column: number;
}

/** Line and column of an offset in UTF-16 units; lines end at LF, CR or CR LF. O(offset). */
export const positionOf = (text: string, offset: number): Position => new PositionCounter(text).at(offset);

/** Line and column of offsets in UTF-16 units that only grow; lines end at LF, CR or CR LF. O(length) for all. */
export class PositionCounter {
  private offset = 0;
  private line = 1;
  private column = 1;

  constructor(private readonly text: string) {}

  at(offset: number): Position {
    while (this.offset < offset) this.step(offset);
    return { line: this.line, column: this.column };
  }

  private step(limit: number): void {
    const unit = this.text.charCodeAt(this.offset);
    const isPair =
      (unit & 0xfc00) === 0xd800 &&
      this.offset + 1 < limit &&
      (this.text.charCodeAt(this.offset + 1) & 0xfc00) === 0xdc00;
    this.offset += isPair ? 2 : 1;
    if (unit === 10 || (unit === 13 && this.text.charCodeAt(this.offset) !== 10)) {
      this.line += 1;
      this.column = 1;
    } else this.column += 1;
  }
}
