import { accessSync, constants, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";

/** A folder that is to be seen at a path of the fence. */
export interface Shown {
  from: string;
  at: string;
}

/** Programs that a build starts, and whose own parts they load from beside the folder they lie in. */
const TOOLS = ["cmake", "ninja", "cc", "c++", "gcc", "g++", "clang", "clang++", "ld", "mold", "ccache"];
/** Those parts, below the prefix of a tool: not all of it, which may be `~/.local`. */
const PARTS = /^(lib|lib32|lib64|libexec|include|[a-z0-9_]+(-[a-z0-9_]+)?-linux(-[a-z0-9]+)?)$/;

export const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

const isBelow = (folder: string, path: string): boolean => path.startsWith(`${folder}/`);

/**
 * What must stay visible of `hidden` folders for programs to be found and to run: the folders of PATH, and of a
 * compiler or CMake that is installed there its libraries and headers too. Folders that the user names in
 * PENSTOCK_SANDBOX_FOLDERS are added. Never the folder above one of PATH: above `~/.local/bin` lies what is
 * nobody's business.
 */
export function visiblePrograms(hidden: string[], env: NodeJS.ProcessEnv): Shown[] {
  const isHidden = (path: string): boolean => hidden.some((folder) => isBelow(folder, path));
  const path = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const wanted = [...path, ...(env["PENSTOCK_SANDBOX_FOLDERS"] ?? "").split(delimiter).filter(isAbsolute)];
  for (const tool of toolsIn(path, env)) {
    const folder = dirname(tool);
    if (!isHidden(folder)) continue;
    wanted.push(folder);
    if (isHidden(dirname(folder))) wanted.push(...partsOf(dirname(folder)));
  }
  const shown = new Map<string, Shown>();
  for (const at of wanted) {
    const from = realPath(at);
    if (from === undefined) continue;
    if (isHidden(from)) shown.set(from, { from, at: from });
    // Reached by a link in a hidden folder that leads out of it.
    else if (isHidden(at)) shown.set(at, { from, at });
  }
  return [...shown.values()];
}

/** Real paths of the build's tools. */
function toolsIn(path: string[], env: NodeJS.ProcessEnv): string[] {
  const named = [env["CC"], env["CXX"]].map((command) => command?.trim().split(/\s+/)[0] ?? "");
  return [...TOOLS, ...named].flatMap((tool) => {
    if (tool === "") return [];
    const candidates = isAbsolute(tool) ? [tool] : path.map((folder) => join(folder, tool));
    const found = candidates.find(isExecutable);
    return found === undefined ? [] : (realPath(found) ?? []);
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const partsOf = (prefix: string): string[] => [
  ...namesIn(prefix)
    .filter((name) => PARTS.test(name))
    .map((name) => join(prefix, name)),
  ...namesIn(join(prefix, "share"))
    .filter((name) => name.startsWith("cmake"))
    .map((name) => join(prefix, "share", name)),
];
