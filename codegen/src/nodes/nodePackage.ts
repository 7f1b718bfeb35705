import { quote, type Problem } from "../model/diagnostics/index.js";
import {
  environmentOf,
  isVariable,
  nodeManifestSchema,
  type NodeManifest,
  type NodeSettings,
} from "../model/manifests/index.js";
import { PackageReader, type Package, type PackageFolder } from "./readPackage.js";

/** A kind of node: what it is, and the templates of its C++. */
export interface NodePackage extends Package<NodeManifest> {
  /** Handlebars text of `generated/services/<service>.cpp`. */
  handler: string;
  /** Handlebars text of `generated/services/<service>.state.hpp`; left out where it has no state. */
  state?: string;
}

/** The node in the folder `path` of `folder`, or what is wrong with it. */
export function readNode(folder: PackageFolder, path: string, own: boolean): NodePackage | Problem[] {
  const reader = new PackageReader(folder, path, "node", "PS707");
  const manifest = reader.manifest("node.json", nodeManifestSchema);
  if (manifest !== undefined)
    for (const fault of faultsOf(manifest, reader.name)) reader.wrong("node.json", fault);
  const handler = reader.text("handler.hbs");
  const state = reader.text("state.hbs");
  const documentation = reader.text("doc.md") ?? "";
  const { problems } = reader;
  if (handler === undefined && problems.length === 0)
    reader.wrong("handler.hbs", "has no handler.hbs", "PS708");
  if (manifest === undefined || handler === undefined || problems.length > 0) return problems;
  return { manifest, handler, ...(state === undefined ? {} : { state }), documentation, own };
}

/** What a manifest of the right shape still has wrong. */
function faultsOf({ type, kind, settings }: NodeManifest, folder: string): string[] {
  const faults: string[] = [];
  const { properties, required } = settings;
  if (type !== folder) faults.push(`says in its manifest that its type is ${quote(type)}`);
  for (const key of required)
    if (!Object.hasOwn(properties, key)) faults.push(`requires ${quote(key)}, which is no setting`);
  for (const [key, { format, type: of, default: standard = "" }] of Object.entries(properties))
    if (
      format === "environment-variable" &&
      (of !== "string" || typeof standard !== "string" || !isVariable(standard))
    )
      faults.push(`has a setting ${quote(key)} that is no name of an environment variable`);
  if (typeof kind === "object") {
    const { setting, of } = kind;
    const choices = Object.hasOwn(properties, setting) ? (properties[setting]?.enum ?? []) : [];
    if (choices.length === 0 || choices.some((choice) => !Object.hasOwn(of, choice)))
      faults.push(`has no kind for each value of ${quote(setting)}`);
  }
  return faults;
}

/** The environment variables that the nodes of a drawing read. */
export const variablesRead = (
  { services }: { services: readonly { node?: { type: string; settings: NodeSettings } | undefined }[] },
  packages: ReadonlyMap<string, Pick<NodePackage, "manifest">>,
): string[] =>
  services.flatMap(({ node }) => {
    const manifest = packages.get(node?.type ?? "")?.manifest;
    return node === undefined || manifest === undefined ? [] : environmentOf(manifest, node.settings);
  });
