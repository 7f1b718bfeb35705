import type { Binary } from "../topology/index.js";

/** The binary, with each exposed service by the name that `of` gives it; undefined: it is exposed no more. */
export function exposeFollows(binary: Binary, of: (name: string) => string | undefined): Binary {
  const { expose, ...rest } = binary;
  if (expose === undefined) return binary;
  const left = expose.flatMap((service) => of(service) ?? []);
  return left.length === 0 ? rest : { ...rest, expose: left };
}
