import type { Service } from "./schema.js";

/**
 * A handler is a coroutine when it may have to wait on a thread that must not block: always when
 * `async-remote`, and when it calls somebody, except `sync-remote`, which waits by blocking.
 */
export const isCoroutine = (service: Pick<Service, "kind" | "calls">): boolean =>
  service.kind === "async-remote" || (service.kind !== "sync-remote" && service.calls.length > 0);

/** A drawn call in the C++ of its caller's handler, as an expression: what the kind lets it wait with. */
export const callText = (caller: Pick<Service, "kind">, callee: string, argument: string): string =>
  caller.kind === "sync-remote"
    ? `calls.${callee}(${argument}).get()`
    : `co_await calls.${callee}(${argument})`;

/**
 * The line that makes a drawn call, for people to take over: with the handler's own request where that is
 * what the callee takes, else with one to be filled.
 */
export function callLine(caller: Service, callee: Service): string {
  const argument = callee.request === caller.request ? "request" : `${callee.request}{}`;
  const text = callText(caller, callee.name, argument);
  return callee.response === undefined ? `${text};` : `const auto answer = ${text};`;
}
