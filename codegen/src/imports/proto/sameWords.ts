import type protobuf from "protobufjs";

/** What is of the file and not of what is said. Comments are not in it by themselves. */
const OF_THE_FILE: ReadonlySet<string> = new Set(["edition", "features"]);

const wordsOf = (item: protobuf.ReflectionObject): string =>
  JSON.stringify(item.toJSON(), (key, value: unknown) => (OF_THE_FILE.has(key) ? undefined : value));

/** Two files declare the same, comments aside; types are named in the same words, too. */
export const sameWords = (a: protobuf.ReflectionObject, b: protobuf.ReflectionObject): boolean =>
  a.constructor === b.constructor && wordsOf(a) === wordsOf(b);
