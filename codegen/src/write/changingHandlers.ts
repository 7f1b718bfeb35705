import { ConfinedFolder } from "../disk/index.js";
import { CodeReader } from "./codeReader.js";
import { codeOnly } from "./cppPieces.js";

/** A definition; a call of another one's `handle()`, or its declaration, has no body behind it. */
const DEFINITION = /::\s*handle\s*\(([^(),;{}]*)\)\s*(?:noexcept\s*)?(?:->[^(),;{}]*)?(?:try\s*)?\{/g;

/** Whether the `handle()` of this text takes its request as `Ad&`: then it may change it. */
export function changesRequest(text: string): boolean {
  return Array.from(codeOnly(text).matchAll(DEFINITION), ([, parameter]) => parameter!).some(
    (parameter) => /[^&]&(?!&)/.test(parameter) && !/\bconst\b/.test(parameter),
  );
}

/** Which of these handlers, each in a file of its own, say so; files that are not there or cannot be read say nothing. */
export const changingHandlers = (dir: string, sources: readonly string[]): ReadonlySet<string> =>
  ConfinedFolder.within(dir, (folder) => {
    const changing = new Set<string>();
    const code = new CodeReader(folder);
    for (const source of new Set(sources)) if (changesRequest(code.read(source) ?? "")) changing.add(source);
    return changing;
  });
