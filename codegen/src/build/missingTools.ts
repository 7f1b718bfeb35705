import { findProgram } from "../process/index.js";

/** A program that a build needs and this machine lacks, with the command that installs it. */
export interface MissingTool {
  tool: string;
  help: string;
}

/** A program without which nothing is built; the first of `programs` that is there is taken. */
export interface NeededTool {
  what: string;
  programs: readonly string[];
  /** Debian package that has it. */
  package: string;
  /** The environment variable that names the program. */
  namedBy?: string;
}

/** What CMake looks for where CXX says nothing, in its order; others it does not find by itself. */
const COMPILERS = ["c++", "g++", "clang++"];

/** What every build needs: `penstock doctor` and builds ask this one list. */
export function neededTools(env: NodeJS.ProcessEnv = process.env): NeededTool[] {
  const compiler = env["CXX"]?.split(" ")[0];
  return [
    { what: "CMake", programs: ["cmake"], package: "cmake" },
    { what: "Ninja", programs: ["ninja"], package: "ninja-build" },
    {
      what: "C++ compiler",
      programs: COMPILERS,
      package: "g++",
      ...(compiler ? { programs: [compiler], namedBy: "CXX" } : {}),
    },
  ];
}

/** Path of the first of `names` that is found through PATH, or undefined. */
export async function findFirst(names: readonly string[], path?: string): Promise<string | undefined> {
  for (const name of names) {
    const found = await findProgram(name, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What this machine lacks to build a project; empty when all is there. */
export async function missingTools(env: NodeJS.ProcessEnv = process.env): Promise<MissingTool[]> {
  const missing: MissingTool[] = [];
  for (const { programs, package: from, namedBy } of neededTools(env)) {
    if ((await findFirst(programs, env["PATH"] ?? "")) !== undefined) continue;
    // Where several would do, the one that its package brings is named.
    const [tool = from] = programs.length === 1 ? programs : [from];
    missing.push({
      tool,
      help:
        namedBy === undefined
          ? `sudo apt-get install --no-install-recommends ${from}`
          : `${namedBy} names it: install ${tool}, or unset ${namedBy}.`,
    });
  }
  return missing;
}
