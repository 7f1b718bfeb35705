import { readFile, stat } from "node:fs/promises";
import { quote } from "../../model/diagnostics/index.js";
import { LAST_PORT } from "../../model/topology/index.js";

/** An object of FORB's registry: of which interface it is, and where. */
export interface RegistryObject {
  name: string;
  /** Empty: none. */
  module: string;
  class: string;
  ip: string;
  port: number;
}

/** Bytes of a file, at most, as binaries take them (net/remote/discovery/file_discovery.cpp). */
export const LARGEST_FILE = 1 << 20;

/** Says what is wrong in a way that goes on after the file's name. */
export class NoRegistry extends Error {}

const kindOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "a list"
      : typeof value === "object"
        ? "an object"
        : `a ${typeof value}`;

function objectOf(value: unknown, at: number): RegistryObject {
  const where = `object ${at + 1}`;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new NoRegistry(`has ${kindOf(value)} as its ${where}`);
  const said = value as Record<string, unknown>;
  const text = (key: "name" | "module" | "class" | "ip"): string => {
    const one = said[key];
    if (typeof one === "string" && (one !== "" || key === "module")) return one;
    throw new NoRegistry(`has no ${quote(key)} in ${where}, which is a string`);
  };
  const { port } = said;
  if (typeof port !== "number" || !Number.isInteger(port) || port < 1 || port > LAST_PORT)
    throw new NoRegistry(`has no "port" in ${where}, which is a number from 1 to ${LAST_PORT}`);
  return { name: text("name"), module: text("module"), class: text("class"), ip: text("ip"), port };
}

/** The objects of a registry; of several of one name the first one counts. @throws {NoRegistry} it is none */
export function readRegistry(text: string): RegistryObject[] {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    throw new NoRegistry("is no JSON");
  }
  const objects =
    typeof said === "object" && said !== null ? (said as Record<string, unknown>)["objects"] : undefined;
  if (!Array.isArray(objects)) throw new NoRegistry('has no list "objects"');
  const byName = new Map<string, RegistryObject>();
  for (const [at, value] of objects.entries()) {
    const object = objectOf(value, at);
    if (!byName.has(object.name)) byName.set(object.name, object);
  }
  return [...byName.values()];
}

/** As {@link readRegistry}; undefined: there is no such file. @throws {NoRegistry} it is no file, or too large */
export async function readRegistryFile(file: string): Promise<RegistryObject[] | undefined> {
  const about = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (about === undefined) return undefined;
  if (!about.isFile()) throw new NoRegistry("is no file");
  if (about.size > LARGEST_FILE) throw new NoRegistry("has more than 1 MiB");
  return readRegistry(await readFile(file, "utf8"));
}

/** The file, as FORB reads it. */
export const registryText = (objects: readonly RegistryObject[]): string =>
  `${JSON.stringify({ objects }, null, 2)}\n`;
