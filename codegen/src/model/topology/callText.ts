import type { Service } from "./schema/schema.js";
import { snakeCase } from "./snakeCase.js";

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
 * What a drawn call is made with: the handler's own request where the callee takes that, else a variable to
 * be filled. Never a temporary: GCC 12 destroys one of an aggregate in a `co_await` expression twice.
 */
export const callArgument = (caller: Service, callee: Service): string =>
  callee.request === caller.request ? "request" : `${snakeCase(callee.name)}_request`;

/** The lines that make a drawn call, for people to take over. */
export function callLine(caller: Service, callee: Service): string {
  const argument = callArgument(caller, callee);
  const text = callText(caller, callee.name, argument);
  const filled = argument === "request" ? "" : `${callee.request} ${argument};\n`;
  return `${filled}${callee.response === undefined ? "" : "const auto answer = "}${text};`;
}
