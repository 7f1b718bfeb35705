import { LIMITS, type Topology } from "../model/topology/index.js";
import { legalName, type NameKind } from "../model/validate/index.js";
import type { Described, Thing } from "./described/described.js";

/** Words without case, as two names may not differ in case alone. */
export class TakenNames {
  readonly #taken: Set<string>;
  /** By the form of a name, the first number that may be free behind it. */
  readonly #next = new Map<string, number>();

  constructor(
    names: Iterable<string>,
    private readonly formOf: (name: string) => string = (name) => name.toLowerCase(),
  ) {
    this.#taken = new Set([...names].map(formOf));
  }

  /** The first of the wishes that is free once it is legal, else the last of them with a number; taken from now on. */
  take(kind: NameKind, wishes: readonly string[]): string {
    const names = wishes.map((wish) => legalName(kind, wish));
    const name =
      names.find((one) => !this.#taken.has(this.formOf(one))) ?? this.#numbered(kind, names.at(-1)!);
    this.#taken.add(this.formOf(name));
    return name;
  }

  #numbered(kind: NameKind, name: string): string {
    const start = name.slice(0, LIMITS.nameLength / 2);
    const form = this.formOf(start);
    for (let number = this.#next.get(form) ?? 2; ; ++number) {
      const numbered = legalName(kind, start + String(number));
      if (this.#taken.has(this.formOf(numbered))) continue;
      this.#next.set(form, number + 1);
      return numbered;
    }
  }
}

/** Fields, oneofs and enum values meet without case and underscores. */
export const memberForm = (name: string): string => name.toLowerCase().replaceAll("_", "");

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** `Status`, and `SpansStatus` should that be taken. */
export const wishesFor = ({ scope, item }: Thing<{ name: string }>): string[] =>
  scope === "" ? [item.name] : [item.name, capitalised(scope) + item.name];

/** Names of messages, enums, services and flows: they share one space. */
export const sharedNames = ({ messages, enums, services, flows }: Topology): string[] =>
  [...messages, ...enums, ...services, ...flows].map(({ name }) => name);

/** By complete name, what everything described is called that is not in `known`. */
export function giveNames(
  topology: Topology,
  described: Described,
  known: ReadonlyMap<string, string>,
): Map<string, string> {
  const names = new Map(known);
  const taken = new TakenNames(sharedNames(topology));
  const give = (kind: NameKind, things: readonly Thing<{ name: string }>[]): void => {
    for (const thing of things)
      if (!names.has(thing.from)) names.set(thing.from, taken.take(kind, wishesFor(thing)));
  };
  give("message", described.messages);
  give("enum", described.enums);
  give("service", described.services);
  return names;
}
