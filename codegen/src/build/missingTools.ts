import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** A program that a build needs and this machine lacks, with the command that installs it. */
export interface MissingTool {
  tool: string;
  help: string;
}

/** Path of a program found through PATH, or undefined. */
export async function findProgram(
  name: string,
  path: string = process.env["PATH"] ?? "",
): Promise<string | undefined> {
  const candidates = isAbsolute(name)
    ? [name]
    : path.split(delimiter).map((folder) => join(folder || ".", name));
  for (const candidate of candidates) {
    const found = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return candidate;
  }
  return undefined;
}

const install = (name: string): string => `sudo apt-get install --no-install-recommends ${name}`;

/** What this machine lacks to build a project; empty when all is there. */
export async function missingTools(env: NodeJS.ProcessEnv = process.env): Promise<MissingTool[]> {
  const path = env["PATH"] ?? "";
  const missing: MissingTool[] = [];
  if (!(await findProgram("cmake", path))) missing.push({ tool: "cmake", help: install("cmake") });
  if (!(await findProgram("ninja", path))) missing.push({ tool: "ninja", help: install("ninja-build") });
  const compiler = env["CXX"]?.split(" ")[0];
  const compilers = compiler ? [compiler] : ["c++", "g++", "clang++"];
  const found = await Promise.all(compilers.map((name) => findProgram(name, path)));
  if (found.every((entry) => entry === undefined)) {
    missing.push({ tool: compiler || "g++", help: install("g++") });
  }
  return missing;
}
