import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * An environment in which handlers are compiled as one file and quickly, which takes a third of the time, and not again
 * what was compiled before, in another folder too; `npm start` compiles them as users do.
 */
export function compiledQuickly(): Record<string, string> {
  const shown = ["scripts/test", "runtime-cpp/cmake"].map((folder) => path.join(repository, folder));
  const cache = process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache");
  return {
    CMAKE_TOOLCHAIN_FILE: path.join(repository, "scripts/test/together.cmake"),
    PENSTOCK_SANDBOX_FOLDERS: shown.join(path.delimiter),
    PENSTOCK_CCACHE: process.env["CCACHE_DIR"] ?? path.join(cache, "ccache"),
  };
}
