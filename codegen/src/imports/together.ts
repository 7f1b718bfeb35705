import { textOf } from "./alreadyThere.js";
import {
  NotReadable,
  nothingDescribed,
  type Described,
  type Read,
  type Thing,
} from "./described/described.js";

/** Things by their complete names, each once; what two files say otherwise is nobody's to choose. */
function once<T extends { name: string }>(
  read: readonly Read[],
  listOf: (described: Described) => readonly Thing<T>[],
): Thing<T>[] {
  const known = new Map<string, { thing: Thing<T>; file: string }>();
  for (const { file, described } of read)
    for (const thing of listOf(described)) {
      const there = known.get(thing.from);
      if (there === undefined) known.set(thing.from, { thing, file });
      else if (textOf(there.thing.item) !== textOf(thing.item))
        throw new NotReadable(`${thing.from} is described otherwise than in ${there.file}`, file, thing.line);
    }
  return [...known.values()].map(({ thing }) => thing);
}

/** Of those with the same key the first. */
function first<T>(list: readonly T[], keyOf: (one: T) => string): T[] {
  const met = new Map<string, T>();
  for (const one of list) if (!met.has(keyOf(one))) met.set(keyOf(one), one);
  return [...met.values()];
}

/** What several files describe: what more than one of them needs is there once. @throws {NotReadable} */
export function together(read: readonly Read[]): Described {
  return {
    ...nothingDescribed(),
    messages: once(read, ({ messages }) => messages),
    enums: once(read, ({ enums }) => enums),
    services: once(read, ({ services }) => services),
    bundles: once(read, ({ bundles }) => bundles),
    renamed: first(
      read.flatMap(({ described }) => described.renamed),
      ({ from }) => from,
    ),
    leftOut: first(
      read.flatMap(({ described }) => described.leftOut),
      ({ name, line }) => `${name} ${line}`,
    ),
    notes: [...new Set(read.flatMap(({ described }) => described.notes))],
  };
}
