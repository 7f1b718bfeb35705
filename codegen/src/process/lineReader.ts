import { StringDecoder } from "node:string_decoder";

/**
 * Cuts a byte stream into lines. A line longer than `longest` characters is given in pieces, so
 * that a program that never ends its line cannot fill our memory.
 */
export class LineReader {
  private readonly decoder = new StringDecoder("utf8");
  private rest = "";

  constructor(
    private readonly onLine: (line: string) => void,
    private readonly longest = 8192,
  ) {}

  push(chunk: Uint8Array): void {
    this.take(this.decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
  }

  /** The stream has ended: what is left is a line too. */
  end(): void {
    this.take(this.decoder.end());
    if (this.rest !== "") this.emit(this.rest);
    this.rest = "";
  }

  private take(text: string): void {
    const parts = (this.rest + text).split("\n");
    this.rest = parts.pop() ?? "";
    for (const part of parts) this.emit(part);
    while (this.rest.length > this.longest) {
      this.onLine(this.rest.slice(0, this.longest));
      this.rest = this.rest.slice(this.longest);
    }
  }

  private emit(line: string): void {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    for (let from = 0; from < text.length || from === 0; from += this.longest) {
      this.onLine(text.slice(from, from + this.longest));
    }
  }
}
