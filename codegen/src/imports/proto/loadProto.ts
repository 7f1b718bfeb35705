import protobuf from "protobufjs";
import { NotReadable, type Source, refuseNoText } from "../described/described.js";
import { firstLineWith, notReadable, unresolved, type Spot } from "./faults.js";
import { linesOf } from "./linesOf.js";
import { parseInto } from "./parseInto.js";
import { declaredIn, extensionsIn, sameWords, topOf, type Extension } from "./reflection.js";
import { wellKnown } from "./wellKnown.js";

/** A file that was parsed. */
export interface ProtoFile {
  file: string;
  package: string;
  imports: ProtoFile[];
  /** All types and services that it declares, in its order. */
  declared: protobuf.ReflectionObject[];
  /** Taken out of what it declares. */
  extensions: Extension[];
}

/** Files with all that they import, and where all of it stands. */
export interface Loaded {
  /** By complete name; extension ranges as `message.extensions`. */
  spotOf: (name: string) => Spot;
  packageOf: (item: protobuf.ReflectionObject) => string;
}

/** Paths as protoc takes them: relative, and nothing above. */
const isPlainPath = (path: string): boolean =>
  path !== "" &&
  path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !/[\\\0-\x1f]/.test(part));

/**
 * Loads files that know each other: each text is parsed once, whoever imports it and by whatever name. What two of
 * them declare alike is there once.
 */
export class Loader implements Loaded {
  readonly #root = new protobuf.Root();
  readonly #spots = new Map<string, Spot>();
  readonly #byText = new Map<string, ProtoFile>();
  readonly #byName = new Map<string, ProtoFile>();
  readonly #wellKnown = new Map<string, ProtoFile>();
  readonly #owners = new Map<protobuf.ReflectionObject, ProtoFile[]>();
  readonly #texts: { file: string; text: string }[] = [];
  /** Where none is known. */
  #first = "";

  /** The names of those that will be loaded, too, so that they have them when others import them. */
  constructor(private readonly names: ReadonlyMap<string, string> = new Map()) {}

  readonly spotOf = (name: string): Spot => this.#spots.get(name) ?? { file: this.#first, line: 1 };

  readonly packageOf = (item: protobuf.ReflectionObject): string =>
    this.#owners.get(item)?.[0]?.package ?? "";

  /** @throws {NotReadable} */
  load({ file, text, find }: Source): ProtoFile {
    if (this.#first === "") this.#first = file;
    return this.#byText.get(text) ?? this.#load(file, text, find);
  }

  /** Finds the types of all that was loaded. @throws {NotReadable} */
  resolve(): void {
    try {
      this.#root.resolveAll();
    } catch (error) {
      throw unresolved(error, this.#root, this.#texts, this.spotOf);
    }
    requireImported(this.#owners, this.spotOf);
  }

  #load(file: string, text: string, find: Source["find"]): ProtoFile {
    refuseNoText(file, text);
    const alone = new protobuf.Root();
    const { package: name = "", imports = [], weakImports = [] } = parsed(alone, file, text);
    this.#texts.push({ file, text });
    const made: ProtoFile = {
      file,
      package: name,
      imports: [],
      declared: [],
      extensions: extensionsIn(alone),
    };
    this.#byText.set(text, made);
    this.#byName.set(file, made);
    const lines = linesOf(text);
    for (const [full, line] of lines) if (!this.#spots.has(full)) this.#spots.set(full, { file, line });
    this.#take(made, alone, (full) => ({ file, line: lines.get(full) ?? 1 }));
    for (const imported of [...imports, ...weakImports]) {
      const by = (): Spot => {
        const at = Math.max(0, text.indexOf(imported));
        return { file, line: text.slice(0, at).split("\n").length };
      };
      made.imports.push(...this.#import(imported, by, find));
    }
    return made;
  }

  #import(name: string, by: () => Spot, find: Source["find"]): ProtoFile[] {
    const refuse = (why: string): never => {
      const { file, line } = by();
      throw new NotReadable(why, file, line);
    };
    if (!isPlainPath(name)) refuse(`no path for an import: ${JSON.stringify(name)}`);
    const found = find(name);
    if (found !== undefined)
      return [this.#byText.get(found) ?? this.#load(this.names.get(found) ?? name, found, find)];
    // A file does not find itself.
    const known = this.#byName.get(name) ?? this.#ofEverybody(name, by);
    if (known !== undefined) return [known];
    if (name.startsWith("google/protobuf/descriptor")) return [];
    return refuse(`imports ${name}, which is not found`);
  }

  /** One of protobuf's own files. */
  #ofEverybody(name: string, by: () => Spot): ProtoFile | undefined {
    const before = this.#wellKnown.get(name);
    if (before !== undefined) return before;
    const known = wellKnown(name);
    if (known === undefined) return undefined;
    const made: ProtoFile = {
      file: name,
      package: "google.protobuf",
      imports: [],
      declared: [],
      extensions: [],
    };
    this.#wellKnown.set(name, made);
    const alone = new protobuf.Root();
    alone.define("google.protobuf").addJSON(known.types);
    this.#take(made, alone, by);
    made.imports = known.imports.flatMap((one) => this.#ofEverybody(one, by) ?? []);
    return made;
  }

  /** Moves what a file declares to all that others do. */
  #take(made: ProtoFile, alone: protobuf.Root, spotOf: (full: string) => Spot): void {
    for (const item of topOf(alone)) {
      const space = item.parent!.fullName.slice(1);
      const full = item.fullName.slice(1);
      const there = this.#place(space, () => spotOf(full));
      const before = there.get(item.name);
      if (before !== null && before.constructor !== protobuf.Namespace) {
        if (!sameWords(before, item)) throw this.#otherwise(full, before, spotOf(full));
        made.declared.push(...declaredIn(before));
      } else {
        try {
          there.add(item);
        } catch (error) {
          throw notReadable(error, spotOf(full)); // a package has the name of a type
        }
        made.declared.push(...declaredIn(item));
      }
    }
    for (const item of made.declared) {
      const owners = this.#owners.get(item);
      if (owners === undefined) this.#owners.set(item, [made]);
      else owners.push(made);
    }
  }

  /** The package of that name. */
  #place(space: string, spotOf: () => Spot): protobuf.Namespace {
    if (space === "") return this.#root;
    try {
      return this.#root.define(space.split("."));
    } catch (error) {
      throw notReadable(error, spotOf());
    }
  }

  #otherwise(full: string, before: protobuf.ReflectionObject, { file, line }: Spot): NotReadable {
    const other = this.#owners.get(before)?.[0]?.file ?? "another file";
    return new NotReadable(`${full} is described otherwise than in ${other}`, file, line);
  }
}

function parsed(root: protobuf.Root, file: string, text: string): protobuf.IParserResult {
  try {
    return parseInto(root, file, text);
  } catch (error) {
    throw notReadable(error, { file, line: firstLineWith(error, file, text) }, text);
  }
}

/** Whoever names a type has its file among those that it imports, or that these import. @throws {NotReadable} */
function requireImported(
  owners: ReadonlyMap<protobuf.ReflectionObject, readonly ProtoFile[]>,
  spotOf: (name: string) => Spot,
): void {
  const known = new Map<ProtoFile, ReadonlySet<ProtoFile>>();
  const knownTo = (file: ProtoFile): ReadonlySet<ProtoFile> => {
    const before = known.get(file);
    if (before !== undefined) return before;
    const all = new Set([file]);
    for (const one of all) for (const imported of one.imports) all.add(imported);
    known.set(file, all);
    return all;
  };
  for (const [item, [file]] of owners)
    for (const { name, types } of namesIn(item))
      for (const type of types) {
        const homes = owners.get(type) ?? [];
        if (homes.length === 0 || homes.some((home) => knownTo(file!).has(home))) continue;
        const { file: of, line } = spotOf(name);
        const words = `names ${type.fullName.slice(1)} of ${homes[0]!.file}, which is not imported`;
        throw new NotReadable(words, of, line);
      }
}

/** Who names which types in a type or service. */
function namesIn(item: protobuf.ReflectionObject): { name: string; types: protobuf.ReflectionObject[] }[] {
  const present = (...types: (protobuf.ReflectionObject | null)[]): protobuf.ReflectionObject[] =>
    types.filter((type) => type !== null);
  if (item instanceof protobuf.Type)
    return item.fieldsArray.map((field) => ({
      name: field.fullName.slice(1),
      types: present(field.resolvedType),
    }));
  if (item instanceof protobuf.Service)
    return item.methodsArray.map((method) => ({
      name: method.fullName.slice(1),
      types: present(method.resolvedRequestType, method.resolvedResponseType),
    }));
  return [];
}
