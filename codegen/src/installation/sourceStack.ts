import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";

/** The end of a line of a stack: file, line, column. */
const PLACE = /(file:\/\/\/[^\s()]+):(\d+):(\d+)/g;

function mapOf(file: string): SourceMap | undefined {
  try {
    const payload = JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, "utf8")) as SourceMapPayload;
    return new SourceMap(payload);
  } catch {
    // No map lies beside it: it is a source itself.
    return undefined;
  }
}

/**
 * A stack with places in the sources instead of in what was built of them. Maps are read when something
 * is wrong only: `--enable-source-maps` would read every one of them at each start.
 */
export function sourceStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(PLACE, (place, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, mapOf(file));
    const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return place;
    const source = new URL(entry.originalSource, file).href;
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
