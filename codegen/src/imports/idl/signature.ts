import type { Operation, Type } from "./syntax.js";

/** `int`, `M::E`, `char[4]` */
export const typeText = ({ of, length }: Type): string =>
  `${typeof of === "string" ? of : of.path.join("::")}${length === undefined ? "" : `[${length}]`}`;

/** `add(int, char[4])`: what tells operations of one interface apart. */
export const signatureOf = ({ name, parameters }: Operation): string =>
  `${name}(${parameters.map(({ type }) => typeText(type)).join(", ")})`;
