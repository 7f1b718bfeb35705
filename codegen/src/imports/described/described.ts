import type { Bundle, EnumType, Message, Service } from "../../model/topology/index.js";

/** Something that a description file says, as the topology would say it. */
export interface Thing<T> {
  /** Its complete name in the description, `pkg.Outer.Inner`: no two things have the same. */
  from: string;
  /** Goes in front of its name where that is taken: the last part of its package; of a service, its bundle's name. */
  scope: string;
  /**
   * Named as is wished (`OuterInner`), legal or not. What it names of other described things (types of fields,
   * request, response, services of a bundle) is written `refTo(from)`; scalars are written as they are.
   */
  item: T;
  /** Where it stands; left out where the reader itself refuses what two files say otherwise. */
  line?: number;
}

/** What has no counterpart in the format, and where it stands. */
export interface LeftOut {
  name: string;
  reason: string;
  file: string;
  line: number;
}

/** What a reader makes of a description file. */
export interface Described {
  messages: Thing<Message>[];
  enums: Thing<EnumType>[];
  services: Thing<Service>[];
  bundles: Thing<Bundle>[];
  /** What is called otherwise than in the description, by the reader's rules. */
  renamed: Renamed[];
  leftOut: LeftOut[];
  /** What a person should know besides, in whole sentences. */
  notes: string[];
}

/** Complete name in the description, and name in the topology. */
export interface Renamed {
  from: string;
  to: string;
}

/** The file is no description of its kind: nothing is read from it. */
export class NotReadable extends Error {
  constructor(
    message: string,
    readonly file: string,
    readonly line: number | undefined,
  ) {
    super(message);
  }
}

/** One file of a description, and how those are found that it imports; undefined: there is no such file. */
export interface Source {
  /** As shown in places. */
  file: string;
  text: string;
  find: (imported: string) => string | undefined;
}

/** @throws {NotReadable} */
export type ReadDescription = (source: Source) => Described;

/** A file and what it describes. */
export interface Read {
  file: string;
  described: Described;
}

/**
 * Reads files that came together; between two of them `pause` lets others go on, or throws when nobody waits any more.
 * @throws {NotReadable}
 */
export type ReadDescriptions = (sources: readonly Source[], pause: () => Promise<void>) => Promise<Read[]>;

/** How a described thing names another: no scalar and no legal name begins so. */
export const refTo = (from: string): string => `.${from}`;
/** The complete name that `name` stands for; undefined for a scalar. */
export const refOf = (name: string): string | undefined => (name.startsWith(".") ? name.slice(1) : undefined);

export const nothingDescribed = (): Described => ({
  messages: [],
  enums: [],
  services: [],
  bundles: [],
  renamed: [],
  leftOut: [],
  notes: [],
});

/** What no text of a drawing may have, a comment neither. @throws {NotReadable} */
export function refuseNoText(file: string, text: string): void {
  const at = text.search(/\p{Surrogate}|\0/u);
  if (at === -1) return;
  const what = text[at] === "\0" ? "a NUL character" : "half a character (a lone surrogate)";
  throw new NotReadable(`the file has ${what} in it`, file, text.slice(0, at).split("\n").length);
}
