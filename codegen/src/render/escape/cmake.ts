/** A quoted argument: nothing in it is expanded. */
export const cmakeString = (text: string): string =>
  `"${text.replace(/[\\"$;]/g, (character) => `\\${character}`).replaceAll("\n", "\\n")}"`;
