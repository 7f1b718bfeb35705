import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * What came along with this code, whichever folder it was started from. The sources lie three folders
 * below it (`codegen/src/installation`), and so does what set-up makes of them (`codegen/dist/cli`).
 */
export const installationRoot: string = fileURLToPath(new URL("../../../", import.meta.url)).replace(
  /\/$/,
  "",
);
export const examplesDir: string = path.join(installationRoot, "examples");
export const templatesDir: string = path.join(installationRoot, "templates");
export const designerDir: string = path.join(installationRoot, "designer", "dist");
/** Where set-up installs the runtime: `<runtimeRoot>/<preset>/prefix`. */
export const runtimeRoot: string = path.join(installationRoot, "build", "runtime");

let read: string | undefined;

/** Penstock's version: what generated files and their manifest say made them. */
export function version(): string {
  read ??= (
    JSON.parse(readFileSync(path.join(installationRoot, "codegen", "package.json"), "utf8")) as {
      version: string;
    }
  ).version;
  return read;
}
