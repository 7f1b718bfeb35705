import { readFile } from "node:fs/promises";
import type { Binary } from "../../model/topology/index.js";

/** What a generated configuration says of where a binary is asked, and where it asks. */
export type BinaryConfiguration = Pick<Binary, "http"> & {
  listen?: string[];
  peers?: Record<string, string>;
};

/** undefined where it cannot be read: then the binary says so itself. */
export async function readConfiguration(file: string): Promise<BinaryConfiguration | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as BinaryConfiguration;
  } catch {
    return undefined;
  }
}
