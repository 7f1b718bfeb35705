import type { Binary } from "./schema.js";

/** What carries the calls of other binaries to one: TCP where it listens at an address, or a socket of their host. */
export type Transport = "tcp" | "unix";
export const transportTo = ({ listen }: Pick<Binary, "listen">): Transport =>
  listen.length > 0 ? "tcp" : "unix";
