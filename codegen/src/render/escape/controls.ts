/**
 * Characters that change how source is read rather than what it says: controls, line separators
 * that some tools end a line at, and the bidirectional overrides of "Trojan Source" (CVE-2021-42574).
 */
const LINE_ENDS = /\r\n?|[\n\v\f\u0085\u2028\u2029]/u;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/gu;
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The lines of a text, whatever ends them; no controls are left, direction marks are made visible. */
export const visibleLines = (text: string): string[] =>
  text.split(LINE_ENDS).map((line) =>
    line
      .replace(DIRECTION_CONTROLS, (mark) => `<U+${codePoint(mark)}>`)
      .replace(CONTROLS, " ")
      .trimEnd(),
  );

export const codePoint = (character: string): string =>
  character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
