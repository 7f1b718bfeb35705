import { chmod, copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./fakeBinary.mjs", import.meta.url));

/** Any file below the packages that the fake needs to find them. */
export const MODULES = fileURLToPath(new URL("../../../package.json", import.meta.url));

/** Puts the fake binary and its configuration into `folder`; see fakeBinary.mjs for what it can do. */
export async function makeFake(
  folder: string,
  config: Record<string, unknown>,
): Promise<{ executable: string; config: string }> {
  await mkdir(folder, { recursive: true });
  const executable = join(folder, "app");
  const path = join(folder, "app.json");
  await copyFile(SCRIPT, executable);
  await chmod(executable, 0o755);
  await writeFile(path, JSON.stringify({ binary: "app", modules: MODULES, ...config }));
  return { executable, config: path };
}
