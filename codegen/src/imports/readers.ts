import type { ReadDescriptions } from "./described/described.js";
import { endingOf, type ImportEnding } from "./endings.js";

const readIdls = async (): Promise<ReadDescriptions> => {
  const { readIdl } = await import("./idl/readIdl.js");
  return async (sources, pause) => {
    const read = [];
    for (const source of sources) {
      read.push({ file: source.file, described: readIdl(source) });
      await pause();
    }
    return read;
  };
};

/** By the ending of a file's name, who reads it; loaded when one is read. */
const READERS: Readonly<Record<ImportEnding, () => Promise<ReadDescriptions>>> = {
  ".proto": async () => (await import("./proto/readProto.js")).readProtos,
  ".idl": readIdls,
  ".forb": readIdls,
};

/** Who reads a file of that name; undefined: nobody. */
export const readerFor = (file: string): (() => Promise<ReadDescriptions>) | undefined => {
  const ending = endingOf(file);
  return ending === undefined ? undefined : READERS[ending];
};
