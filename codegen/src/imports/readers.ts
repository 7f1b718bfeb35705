import type { ReadDescription } from "./described.js";
import { endingOf, type ImportEnding } from "./endings.js";

const readIdl = async (): Promise<ReadDescription> => (await import("./idl/readIdl.js")).readIdl;

/** By the ending of a file's name, who reads it; loaded when one is read. */
const READERS: Readonly<Record<ImportEnding, () => Promise<ReadDescription>>> = {
  ".proto": async () => (await import("./proto/readProto.js")).readProto,
  ".idl": readIdl,
  ".forb": readIdl,
};

/** Who reads a file of that name; undefined: nobody. */
export async function readerFor(file: string): Promise<ReadDescription | undefined> {
  const ending = endingOf(file);
  return ending === undefined ? undefined : READERS[ending]();
}
