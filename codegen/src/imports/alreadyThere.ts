import {
  SCALAR_TYPES,
  type EnumType,
  type Message,
  type Service,
  type Topology,
} from "../model/topology/index.js";
import { legalName, type NameKind } from "../model/validate/index.js";
import { refTo, type Described, type Thing } from "./described/described.js";
import { wishesFor } from "./giveNames.js";
import { namedEnum, namedMessage, resolved, type NameOf } from "./named.js";

interface Candidate {
  from: string;
  /** What is compared of it, by the names that other things have then. */
  words: (nameOf: NameOf) => object;
  /** Things of the topology that it may be. */
  maybe: { name: string; words: object }[];
}

const SCALARS: ReadonlySet<unknown> = new Set(SCALAR_TYPES);
const NAMES_A_TYPE: ReadonlySet<string> = new Set(["type", "request", "response"]);

/** Docs may differ, and whether lists are packed, as readers take both; `shape`: the names of types, too. */
export const textOf = (words: object, shape = false): string =>
  JSON.stringify(words, (key, value: unknown) => {
    if (key === "doc" || key === "packed") return undefined;
    if (shape && NAMES_A_TYPE.has(key) && typeof value === "string") return SCALARS.has(value) ? value : "";
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

const messageWords = (message: Message, nameOf: NameOf): object =>
  namedMessage(message, "", nameOf).item.fields;
/** Names in protobuf may have had to change. */
const enumWords = (item: EnumType): object =>
  namedEnum(item, "", item.name, new Set()).item.values.map(({ name, number }) => ({ name, number }));
/** What others know of a service; how it does it is its own matter. */
const serviceWords = ({ request, response }: Service, nameOf: NameOf): object => ({
  request: resolved(request, nameOf),
  response: response === undefined ? undefined : resolved(response, nameOf),
});

function candidates<T extends { name: string }>(
  kind: NameKind,
  things: readonly Thing<T>[],
  there: readonly T[],
  wordsOf: (item: T, nameOf: NameOf) => object,
): Candidate[] {
  const byName = new Map(there.map((item) => [item.name, item]));
  return things.flatMap((thing) => {
    const names = wishesFor(thing).map((wish) => legalName(kind, wish));
    const shape = textOf(
      wordsOf(thing.item, (from) => from),
      true,
    );
    const maybe = names.flatMap((name) => {
      const item = byName.get(name);
      if (item === undefined) return [];
      const words = wordsOf(item, (from) => from);
      return textOf(words, true) === shape ? [{ name, words }] : [];
    });
    return maybe.length === 0
      ? []
      : [{ from: thing.from, maybe, words: (nameOf) => wordsOf(thing.item, nameOf) }];
  });
}

/**
 * By complete name, what everything is called that the topology has already: under the name that it would get, and
 * in the same words, of which docs are none. A file is imported twice, or two files import a third one. Two things
 * of a description are never one of the topology.
 */
export function alreadyThere(topology: Topology, described: Described): Map<string, string> {
  let left = [
    ...candidates("message", described.messages, topology.messages, messageWords),
    ...candidates("enum", described.enums, topology.enums, enumWords),
    ...candidates("service", described.services, topology.services, serviceWords),
  ];
  // What names each other is the same or not together: all are taken for the same until one is seen to differ.
  for (;;) {
    const chosen = firstFree(left);
    const nameOf = (from: string): string => chosen.get(from)?.name ?? refTo(from);
    const differs = ({ from, words }: Candidate): boolean =>
      chosen.has(from) && textOf(words(nameOf)) !== textOf(chosen.get(from)!.words);
    const wrong = new Set(left.filter(differs));
    if (wrong.size === 0)
      return new Map(left.flatMap(({ from }) => (chosen.has(from) ? [[from, nameOf(from)]] : [])));
    left = left.map((candidate) => {
      if (!wrong.has(candidate)) return candidate;
      const not = chosen.get(candidate.from);
      return { ...candidate, maybe: candidate.maybe.filter((one) => one !== not) };
    });
  }
}

/** By complete name what each candidate may be, and none before it is; those choose first that have least to choose from. */
function firstFree(candidates: readonly Candidate[]): Map<string, Candidate["maybe"][number]> {
  const taken = new Set<string>();
  const chosen = new Map<string, Candidate["maybe"][number]>();
  for (const { from, maybe } of candidates.toSorted((a, b) => a.maybe.length - b.maybe.length)) {
    const free = maybe.find(({ name }) => !taken.has(name));
    if (free === undefined) continue;
    taken.add(free.name);
    chosen.set(from, free);
  }
  return chosen;
}
