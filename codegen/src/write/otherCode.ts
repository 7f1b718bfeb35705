import { ConfinedFolder } from "../disk/index.js";

const CODE = /^[\w.+-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|ipp|inl)$/;
/** More are no person's, nor are deeper folders. */
const MOST_FILES = 2_000;
const DEEPEST = 8;

/**
 * The C++ beside the files of what is drawn: what those include, by the user's own names. No link is followed, and what
 * waits in `_detached` is not compiled.
 */
export const otherCode = (dir: string, drawn: ReadonlySet<string>): string[] =>
  ConfinedFolder.within(dir, (folder) => {
    const found: string[] = [];
    const look = (path: string, depth: number): void => {
      for (const name of folder.stat(path)?.isDirectory() === true ? folder.list(path) : []) {
        const inner = `${path}/${name}`;
        if (found.length === MOST_FILES) return;
        if (CODE.test(name)) {
          if (!drawn.has(inner) && folder.stat(inner)?.isFile() === true) found.push(inner);
        } else if (depth < DEEPEST && /^\w[\w.-]*$/.test(name) && name !== "_detached")
          look(inner, depth + 1);
      }
    };
    for (const top of ["src", "tests", "bench"]) look(top, 0);
    return found;
  });
