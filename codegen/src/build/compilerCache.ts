import { mkdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { SandboxOptions } from "../process/index.js";

/** Of a project's own cache; half a minute of compilation fills a hundredth of it. */
const MOST = "1G";

/**
 * Where fenced compilers keep what they have compiled, as home is hidden from them: a folder of the project's own below
 * its build folder, so that no project can leave an object there for another one. `PENSTOCK_CCACHE=DIR` names one that
 * all builds share. Without ccache nothing is written there. Throws what the file system says of the folder.
 */
export async function compilerCache(
  buildDir: string,
  env: NodeJS.ProcessEnv,
): Promise<Pick<SandboxOptions, "writable" | "env">> {
  const shared = env["PENSTOCK_CCACHE"];
  const isShared = shared !== undefined && isAbsolute(shared);
  // No binary may be called so (PS205).
  const folder = isShared ? shared : join(buildDir, "ccache");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const limit = isShared ? env["CCACHE_MAXSIZE"] : (env["CCACHE_MAXSIZE"] ?? MOST);
  return {
    writable: [folder],
    env: { CCACHE_DIR: folder, ...(limit === undefined ? {} : { CCACHE_MAXSIZE: limit }) },
  };
}
