import { kindOfNode, type NodeManifest } from "@penstock/codegen/manifests";
import { changeService } from "../../kernel/document/edits/services.js";
import { edit, type DocumentModel } from "../../kernel/document/index.js";

/** Sets one setting of a node (undefined takes it out), and the kind that its service then has. */
export const withSetting = (
  model: DocumentModel,
  name: string,
  manifest: NodeManifest,
  key: string,
  value: unknown,
): DocumentModel =>
  changeService(model, name, (service) => {
    if (service.node === undefined) return service;
    const rest = Object.entries(service.node.settings).filter(([other]) => other !== key);
    const settings = Object.fromEntries(value === undefined ? rest : [...rest, [key, value]]);
    return { ...service, node: { ...service.node, settings }, kind: kindOfNode(manifest, settings) };
  });

/** The same as a step of its own. */
export const setSetting = (name: string, manifest: NodeManifest, key: string, value: unknown): void => {
  const title = manifest.settings.properties[key]?.title ?? key;
  edit(`Set ${title.toLowerCase()}`, (model) => withSetting(model, name, manifest, key, value));
};
