import protobuf from "protobufjs";
import { NotReadable, type Source } from "../described.js";
import { refuseNoText } from "../wholeText.js";
import { firstLineWith, notReadable, unresolved, type Spot } from "./faults.js";
import { parseInto } from "./parseInto.js";
import { linesOf } from "./linesOf.js";
import { wellKnown } from "./wellKnown.js";

/** A file with all that it imports, parsed and with every type found. */
export interface Loaded {
  root: protobuf.Root;
  /** By complete name; extension ranges as `message.extensions`. */
  spotOf: (name: string) => Spot;
  packageOf: (file: string | null) => string;
  /** Extensions, which are taken out of `root`. */
  extensions: protobuf.Field[];
}

/** Paths as protoc takes them: relative, and nothing above. */
const isPlainPath = (path: string): boolean =>
  path !== "" &&
  path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !/[\\\0-\x1f]/.test(part));

class Loader {
  readonly root = new protobuf.Root();
  readonly spots = new Map<string, Spot>();
  readonly packages = new Map<string, string>();
  /** Of the files that were parsed, by their names, in that order. */
  readonly texts = new Map<string, string>();
  readonly #seen = new Set<string>();

  constructor(private readonly find: Source["find"]) {}

  load(file: string, text: string): void {
    this.#seen.add(file);
    refuseNoText(file, text);
    const { package: name = "", imports = [], weakImports = [] } = this.#parse(file, text);
    this.texts.set(file, text);
    this.packages.set(file, name);
    for (const [full, line] of linesOf(text)) if (!this.spots.has(full)) this.spots.set(full, { file, line });
    for (const imported of [...imports, ...weakImports]) this.#import(imported, file, text);
  }

  #parse(file: string, text: string): protobuf.IParserResult {
    try {
      return parseInto(this.root, file, text);
    } catch (error) {
      throw notReadable(error, { file, line: firstLineWith(error, file, text, this.texts) }, text);
    }
  }

  #import(name: string, by: string, text: string): void {
    if (this.#seen.has(name)) return;
    const line = text.slice(0, Math.max(0, text.indexOf(name))).split("\n").length;
    if (!isPlainPath(name)) throw new NotReadable(`no path for an import: ${JSON.stringify(name)}`, by, line);
    const found = this.find(name);
    if (found !== undefined) return this.load(name, found);
    this.#seen.add(name);
    const known = wellKnown(name);
    if (known !== undefined) {
      try {
        this.root.define("google.protobuf").addJSON(known.types);
      } catch (error) {
        throw notReadable(error, { file: by, line });
      }
      for (const one of known.imports) this.#import(one, by, text);
    } else if (!name.startsWith("google/protobuf/descriptor"))
      throw new NotReadable(`imports ${name}, which is not found`, by, line);
  }
}

/** Those of the whole tree. */
function extensionsIn(space: protobuf.NamespaceBase): protobuf.Field[] {
  return space.nestedArray.flatMap((item) => {
    if (item instanceof protobuf.Field) return [item];
    return item instanceof protobuf.Namespace ||
      item instanceof protobuf.Type ||
      item instanceof protobuf.Service
      ? extensionsIn(item)
      : [];
  });
}

/** @throws {NotReadable} */
export function loadProto({ file, text, find }: Source): Loaded {
  const loader = new Loader(find);
  loader.load(file, text);
  const { root, spots, packages, texts } = loader;
  const spotOf = (name: string): Spot => spots.get(name) ?? { file, line: 1 };
  const extensions = extensionsIn(root);
  for (const field of extensions) field.parent?.remove(field);
  try {
    root.resolveAll();
  } catch (error) {
    throw unresolved(error, root, texts, spotOf);
  }
  return {
    root,
    spotOf,
    packageOf: (of) => (of === null ? "google.protobuf" : (packages.get(of) ?? "google.protobuf")),
    extensions,
  };
}
