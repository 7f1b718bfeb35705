import { terminalText } from "../terminal/terminalText.js";

/**
 * Draws a block of lines on a terminal over the one before; elsewhere blocks simply follow each
 * other. Lines must not be wider than the terminal, or the cursor's way back is wrong.
 */
export class LiveTable {
  private drawn = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  draw(lines: readonly string[]): void {
    const height = this.stream.isTTY === true ? Math.max(3, (this.stream.rows ?? 24) - 1) : lines.length;
    const shown = lines.length > height ? [...lines.slice(0, height - 1), "..."] : lines;
    const back = this.stream.isTTY === true && this.drawn > 0 ? `\u001b[${this.drawn}A\u001b[J` : "";
    const text = terminalText(shown.join("\n"), this.stream.isTTY === true);
    this.stream.write(`${back}${text}\n`);
    this.drawn = shown.length;
  }
}
