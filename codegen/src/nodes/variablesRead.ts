import { environmentOf, type NodeSettings } from "../model/manifests/index.js";
import type { NodePackage } from "./nodePackage.js";

/** The environment variables that the nodes of a drawing read. */
export const variablesRead = (
  { services }: { services: readonly { node?: { type: string; settings: NodeSettings } | undefined }[] },
  packages: ReadonlyMap<string, Pick<NodePackage, "manifest">>,
): string[] =>
  services.flatMap(({ node }) => {
    const manifest = packages.get(node?.type ?? "")?.manifest;
    return node === undefined || manifest === undefined ? [] : environmentOf(manifest, node.settings);
  });
