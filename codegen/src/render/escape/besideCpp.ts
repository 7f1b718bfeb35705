import { visibleLines } from "./controls.js";

/** A quoted argument of CMake: nothing in it is expanded. */
export const cmakeString = (text: string): string =>
  `"${text.replace(/[\\"$;]/g, (character) => `\\${character}`).replaceAll("\n", "\\n")}"`;

/** A double-quoted scalar of YAML: JSON's strings are YAML's too, so no text is read as a number, a tag or a key. */
export const yamlString = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`,
  );

/** Paragraphs of Markdown in which no character is markup. */
export const markdownText = (text: string): string =>
  visibleLines(text.trim())
    .map((line) => line.replace(/[\\`*_{}[\]<>#+!|&~-]/g, (character) => `\\${character}`))
    .join("\n");

/** The same in a cell of a table, which is one line. */
export const markdownCell = (text: string): string => markdownText(text).replace(/\s*\n\s*/g, " ");
