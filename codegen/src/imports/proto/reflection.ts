import protobuf from "protobufjs";

/** A field that somebody gives to a message of another file. */
export interface Extension {
  /** Its complete name. */
  name: string;
  extend: string;
}

/** `pkg.Outer.Inner` */
export const completeName = (item: protobuf.ReflectionObject): string => item.fullName.replace(/^\./, "");

const isPackage = (item: protobuf.ReflectionObject): item is protobuf.Namespace =>
  item.constructor === protobuf.Namespace;

/** What a file declares outermost, in its package. */
export function topOf(space: protobuf.NamespaceBase): protobuf.ReflectionObject[] {
  return space.nestedArray.flatMap((item) => (isPackage(item) ? topOf(item) : [item]));
}

/** A type or service, and the types in it. */
export function* declaredIn(item: protobuf.ReflectionObject): Generator<protobuf.ReflectionObject> {
  if (item instanceof protobuf.Field) return;
  yield item;
  if (item instanceof protobuf.Type) for (const inner of item.nestedArray) yield* declaredIn(inner);
}

/** Takes those of the whole tree out of it: nobody has them here. */
export function extensionsIn(space: protobuf.NamespaceBase): Extension[] {
  return space.nestedArray.flatMap((item) => {
    if (item instanceof protobuf.Field) {
      const extension = { name: completeName(item), extend: item.extend ?? "" };
      space.remove(item);
      return [extension];
    }
    return item instanceof protobuf.Namespace ||
      item instanceof protobuf.Type ||
      item instanceof protobuf.Service
      ? extensionsIn(item)
      : [];
  });
}

/** What is of the file and not of what is said. Comments are not in it by themselves. */
const OF_THE_FILE: ReadonlySet<string> = new Set(["edition", "features"]);

const wordsOf = (item: protobuf.ReflectionObject): string =>
  JSON.stringify(item.toJSON(), (key, value: unknown) => (OF_THE_FILE.has(key) ? undefined : value));

/** Two files declare the same, comments aside; types are named in the same words, too. */
export const sameWords = (a: protobuf.ReflectionObject, b: protobuf.ReflectionObject): boolean =>
  a.constructor === b.constructor && wordsOf(a) === wordsOf(b);
