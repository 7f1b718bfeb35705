import { ConfinedFolder } from "../disk/index.js";
import { CodeReader } from "./codeReader.js";
import { codeOnly } from "./cppPieces.js";

/** The definition in this class; a call of its `handle()`, or a declaration, has no body behind it. */
const definition = (handler: string): RegExp =>
  new RegExp(
    `\\b${handler.replace("::", "\\s*::\\s*")}\\s*::\\s*handle\\s*\\(([^(),;{}]*)\\)\\s*(?:noexcept\\s*)?(?:->[^(),;{}]*)?(?:try\\s*)?\\{`,
    "g",
  );

/** Whether the `handle()` of `handler` (`GetAd`, `GetAd::Fast`) takes its request as `Ad&` here: then it may change it. */
export function changesRequest(text: string, handler: string): boolean {
  return Array.from(codeOnly(text).matchAll(definition(handler)), ([, parameter]) => parameter!).some(
    (parameter) => /[^&]&(?!&)/.test(parameter) && !/\bconst\b/.test(parameter),
  );
}

/** A handler's file, and the class that it defines. */
export interface HandlerFile {
  path: string;
  handler: string;
}

/** Which of these handlers say so, by their paths; files that are not there or cannot be read say nothing. */
export const changingHandlers = (dir: string, files: readonly HandlerFile[]): ReadonlySet<string> =>
  ConfinedFolder.within(dir, (folder) => {
    const code = new CodeReader(folder);
    const changing = files.filter(({ path, handler }) => changesRequest(code.read(path) ?? "", handler));
    return new Set(changing.map(({ path }) => path));
  });
