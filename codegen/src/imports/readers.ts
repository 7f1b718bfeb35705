import type { ReadDescription } from "./described.js";

const readIdl = async (): Promise<ReadDescription> => (await import("./idl/readIdl.js")).readIdl;

/** By the ending of a file's name, who reads it; loaded when one is read. */
const READERS: Readonly<Record<string, () => Promise<ReadDescription>>> = {
  ".proto": async () => (await import("./proto/readProto.js")).readProto,
  ".idl": readIdl,
  // As FORB's own files are named.
  ".forb": readIdl,
};

/** The endings of files that can be imported. */
export const IMPORT_ENDINGS: readonly string[] = Object.keys(READERS);

/** Who reads a file of that name; undefined: nobody. */
export async function readerFor(file: string): Promise<ReadDescription | undefined> {
  const ending = IMPORT_ENDINGS.find((one) => file.toLowerCase().endsWith(one));
  return ending === undefined ? undefined : READERS[ending]!();
}
