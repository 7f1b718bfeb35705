import type { ReadDescription } from "./described.js";

/** By the ending of a file's name, who reads it; loaded when one is read. */
const READERS: Readonly<Record<string, () => Promise<ReadDescription>>> = {
  ".proto": async () => (await import("./proto/readProto.js")).readProto,
};

/** The endings of files that can be imported. */
export const IMPORT_ENDINGS: readonly string[] = Object.keys(READERS);

/** Who reads a file of that name; undefined: nobody. */
export async function readerFor(file: string): Promise<ReadDescription | undefined> {
  const ending = IMPORT_ENDINGS.find((one) => file.toLowerCase().endsWith(one));
  return ending === undefined ? undefined : READERS[ending]!();
}
