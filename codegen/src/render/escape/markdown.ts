import { visibleLines } from "./controls.js";

/** Paragraphs in which no character is markup. */
export const markdownText = (text: string): string =>
  visibleLines(text.trim())
    .map((line) => line.replace(/[\\`*_{}[\]<>#+!|&~-]/g, (character) => `\\${character}`))
    .join("\n");
