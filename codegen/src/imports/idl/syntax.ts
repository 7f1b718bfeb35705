import type { Position } from "../../model/text/index.js";

/** What an IDL file says, its names resolved. */
export interface IdlFile {
  /** In the order of the file, those of nested modules among the others. */
  definitions: readonly (Struct | Interface)[];
  leftOut: readonly LeftOut[];
}

/** Something that FORB's IDL has not. */
export interface LeftOut {
  /** `M::Color`, `M::Calc::add` */
  name: string;
  reason: string;
  line: number;
}

export interface Named {
  doc?: string;
  place: Position;
}

export const BASIC_TYPES = ["char", "octet", "short", "int", "long", "float", "double", "boolean"] as const;
export type BasicType = (typeof BASIC_TYPES)[number];

export interface Type {
  of: BasicType | Struct;
  /** Of an array. */
  length?: number;
}

export interface Member extends Named {
  name: string;
  type: Type;
}

export interface Struct extends Named {
  kind: "struct";
  /** Its modules from the outermost on, then its name. */
  path: readonly string[];
  members: Member[];
}

export const DIRECTIONS = ["in", "out", "inout"] as const;
export interface Parameter extends Member {
  direction: (typeof DIRECTIONS)[number];
}

export interface Operation extends Named {
  name: string;
  /** Undefined: `void`. */
  returns: Type["of"] | undefined;
  parameters: readonly Parameter[];
}

export interface Interface extends Named {
  kind: "interface";
  path: readonly string[];
  operations: Operation[];
}

/** `int`, `M::E`, `char[4]` */
export const typeText = ({ of, length }: Type): string =>
  `${typeof of === "string" ? of : of.path.join("::")}${length === undefined ? "" : `[${length}]`}`;

/** `add(int, char[4])`: what tells operations of one interface apart. */
export const signatureOf = ({ name, parameters }: Operation): string =>
  `${name}(${parameters.map(({ type }) => typeText(type)).join(", ")})`;
