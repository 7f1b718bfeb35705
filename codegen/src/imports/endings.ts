/** How the names of files end that can be imported; `.forb` as FORB's own files are named. */
export const IMPORT_ENDINGS = [".proto", ".idl", ".forb"] as const;
export type ImportEnding = (typeof IMPORT_ENDINGS)[number];

/** The ending of a file's name; undefined: nobody reads it. */
export const endingOf = (file: string): ImportEnding | undefined =>
  IMPORT_ENDINGS.find((one) => file.toLowerCase().endsWith(one));

/** Somebody reads files of that name. */
export const isImported = (file: string): boolean => endingOf(file) !== undefined;
