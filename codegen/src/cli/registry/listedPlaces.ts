import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { discoveryFileOf, transportTo, type Binary } from "../../model/topology/index.js";
import { binaryNameOf } from "./leadsTo.js";
import { LARGEST_FILE, readRegistry } from "./registryFile.js";

/** The addresses of a binary in a file of discovery, `HOST:PORT`. @throws {Error} how it goes on after the file's name */
export function addressesIn(text: string, binary: string): string[] {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    throw new Error("is no JSON");
  }
  if (typeof said !== "object" || said === null || Array.isArray(said))
    throw new Error("has no list of addresses by binaries");
  const { [binary]: own, objects } = said as Record<string, unknown>;
  const isRegistry = Array.isArray(objects) && typeof objects[0] !== "string";
  const listed = binary === "objects" && isRegistry ? [] : (own ?? []);
  if (!Array.isArray(listed) || listed.some((one) => typeof one !== "string"))
    throw new Error(`has no list of addresses at ${JSON.stringify(binary)}`);
  const registered = isRegistry
    ? readRegistry(text)
        .filter(({ name }) => binaryNameOf(name) === binary)
        .map(({ ip, port }) => `${ip.includes(":") ? `[${ip}]` : ip}:${port}`)
    : [];
  const addresses = [...new Set([...(listed as string[]), ...registered])];
  if (addresses.length === 0) throw new Error("lists no process of it");
  return addresses;
}

/** Where the processes of a binary are by the file of its discovery, or why that is not known. Undefined: it has none. */
export async function listedPlaces(
  projectDir: string,
  binary: Binary,
): Promise<{ places: string[]; why?: string } | undefined> {
  const named = discoveryFileOf(binary);
  if (named === undefined) return undefined;
  const file = resolve(projectDir, named);
  try {
    const about = await stat(file);
    if (!about.isFile()) throw new Error("is no file");
    if (about.size > LARGEST_FILE) throw new Error("has more than 1 MiB");
    const addresses = addressesIn(await readFile(file, "utf8"), binary.name);
    return { places: addresses.map((address) => `${transportTo(binary)}://${address}`) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const why =
      code === undefined ? message : code === "ENOENT" ? "does not exist" : `cannot be read: ${code}`;
    return { places: [], why: `${named} ${why}` };
  }
}
