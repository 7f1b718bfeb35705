import { problem, quote, type Problem } from "../model/diagnostics/index.js";
import { nodeManifestSchema, type NodeManifest } from "../model/manifests/index.js";
import { readJson } from "../model/json/index.js";

/** A kind of node: what it is, and the templates of its C++. */
export interface NodePackage {
  manifest: NodeManifest;
  /** Handlebars text of `generated/services/<service>.cpp`. */
  handler: string;
  /** Handlebars text of `generated/services/<service>.state.hpp`; left out where it has no state. */
  state?: string;
  /** `doc.md`; "" where there is none. */
  documentation: string;
  /** True for one of the project's own. */
  own: boolean;
}

/** A folder from which nothing leads out; paths are relative. */
export interface NodeFolder {
  /** Names in a folder, sorted; none when there is no such folder. */
  list(path: string): string[];
  /** The text of a regular file; undefined when there is none. */
  read(path: string): string | undefined;
  /** True for a regular file. */
  isPlainFile(path: string): boolean;
}

const MOST_CHARACTERS = 262_144;

/** The package in the folder `path` of `folder`, or what is wrong with it. */
export function readPackage(folder: NodeFolder, path: string, own: boolean): NodePackage | Problem[] {
  const type = path.slice(path.lastIndexOf("/") + 1);
  const problems: Problem[] = [];
  const wrong = (file: string, message: string, code: "PS707" | "PS708" = "PS707"): void => {
    problems.push(problem(code, "", `The node ${quote(type)} ${message}`, { file: `${path}/${file}` }));
  };
  const text = (file: string): string | undefined => {
    const read = folder.read(`${path}/${file}`);
    if (read === undefined || read.length <= MOST_CHARACTERS) return read;
    wrong(file, `has a ${file} of more than ${MOST_CHARACTERS} characters`);
    return undefined;
  };
  const manifest = readManifest(text("node.json"), type, (message) => wrong("node.json", message));
  const handler = text("handler.hbs");
  const state = text("state.hbs");
  const documentation = text("doc.md") ?? "";
  if (handler === undefined && problems.length === 0) wrong("handler.hbs", "has no handler.hbs", "PS708");
  if (manifest === undefined || handler === undefined || problems.length > 0) return problems;
  return { manifest, handler, ...(state === undefined ? {} : { state }), documentation, own };
}

function readManifest(
  text: string | undefined,
  type: string,
  wrong: (message: string) => void,
): NodeManifest | undefined {
  if (text === undefined) return void wrong("has no node.json");
  const { value, problems } = readJson(text);
  if (value === undefined)
    return void wrong(`has a node.json that is no JSON: ${problems[0]?.message ?? ""}`);
  const result = nodeManifestSchema.safeParse(value);
  if (!result.success) {
    for (const issue of result.error.issues.slice(0, 20))
      wrong(`has a wrong manifest at ${quote(issue.path.join("."))}: ${issue.message}`);
    return undefined;
  }
  const manifest = result.data;
  const { properties, required } = manifest.settings;
  if (manifest.type !== type) wrong(`says in its manifest that its type is ${quote(manifest.type)}`);
  for (const key of required)
    if (!Object.hasOwn(properties, key)) wrong(`requires ${quote(key)}, which is no setting`);
  if (typeof manifest.kind === "object") {
    const { setting, of } = manifest.kind;
    const choices = Object.hasOwn(properties, setting) ? (properties[setting]?.enum ?? []) : [];
    if (choices.length === 0 || choices.some((choice) => !Object.hasOwn(of, choice)))
      wrong(`has no kind for each value of ${quote(setting)}`);
  }
  return manifest;
}
