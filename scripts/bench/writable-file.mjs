import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/** npm runs scripts in the package's folder; a relative file is meant from where the person is. */
export const fromTheirs = (file) => path.resolve(process.env.INIT_CWD ?? process.cwd(), file);

/** @throws {Error} with words for people when `--json` cannot be written there in the end */
export function writableFile(text) {
  const file = fromTheirs(text);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`--json cannot write ${file}: it is a folder`);
  }
  try {
    accessSync(path.dirname(file), constants.W_OK | constants.X_OK);
  } catch {
    throw new Error(`--json cannot write ${file}: its folder is missing or read-only`);
  }
  return file;
}
