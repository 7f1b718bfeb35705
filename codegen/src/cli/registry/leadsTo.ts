import type { Topology } from "../../model/topology/index.js";
import type { RegistryObject } from "./registryFile.js";

/** What an object of a registry is in a drawing. */
export interface Lead {
  bundle: string | null;
  services: string[];
  /** Those that serve it; of one that the object's name begins with, that one alone. */
  binaries: string[];
}

/** `models-server`, also of `models-server.2/Models` */
export const binaryNameOf = (object: string): string => /^[^./]*/.exec(object)?.[0] ?? "";

/**
 * The bundle of an object: of the project's module and the class's name. An interface that was imported from a module
 * of an IDL file is a bundle with both of them in its name.
 */
export function leadOf(
  { name, bundles, binaries }: Topology,
  object: RegistryObject,
  importedName: (path: readonly string[]) => string,
): Lead {
  const path = object.module === "" ? [] : object.module.split("::");
  const bundle =
    (object.module === name ? bundles.find((one) => one.name === object.class) : undefined) ??
    bundles.find((one) => one.name === importedName([...path, object.class]));
  if (bundle === undefined) return { bundle: null, services: [], binaries: [] };
  const serving = binaries.filter((one) => one.bundles.includes(bundle.name)).map((one) => one.name);
  const meant = binaryNameOf(object.name);
  return {
    bundle: bundle.name,
    services: bundle.services,
    binaries: serving.includes(meant) ? [meant] : serving,
  };
}
