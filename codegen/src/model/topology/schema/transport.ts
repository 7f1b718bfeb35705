import type { Binary } from "./schema.js";

/** What carries the calls of other binaries to one: memory of their host, or TCP, which is secured beyond it. */
export type Transport = "shm" | "tcp" | "tls";

/** Of this host alone, in one of the forms that a binary takes: nobody needs a key there. */
const CLEAR = /^tcp:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+$/;

/** True for an address of `listen` at which only binaries with a key of the project are spoken to. */
export const isSecured = (address: string): boolean => !CLEAR.test(address);

export function transportTo({ listen: [first] }: Pick<Binary, "listen">): Transport {
  if (first === undefined) return "shm";
  return isSecured(first) ? "tls" : "tcp";
}
