import { createHash } from "node:crypto";
import type { ConfinedFolder } from "../disk/index.js";
import { keptOf } from "./kept.js";

/**
 * Whether CMake has to configure again. Ninja itself notices changed CMake files; what it cannot
 * see is another preset, prefix or compiler given on the command line.
 */
export class ConfigureStamp {
  private readonly path: string;
  private readonly wanted: string;
  readonly isCurrent: boolean;
  /** The build folder is another project's, or this one's before it was moved: CMake begins anew. */
  readonly isElsewhere: boolean;

  /** `env` is what CMake is going to see. */
  constructor(
    private readonly project: ConfinedFolder,
    preset: string,
    args: string[],
    env: NodeJS.ProcessEnv,
  ) {
    this.path = `${keptOf(preset)}/configured`;
    const buildDir = `build/${preset}`;
    this.wanted = createHash("sha256")
      .update(JSON.stringify([args, env["CXX"] ?? "", env["CXXFLAGS"] ?? ""]))
      .update(project.readIfPlain("CMakePresets.json") ?? "")
      .digest("hex");
    // The build can write this: a link, a FIFO or a file without end there is no cache.
    const cache = project.readIfPlain(`${buildDir}/CMakeCache.txt`) ?? "";
    const home = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(cache)?.[1];
    this.isElsewhere = home !== undefined && home !== project.root;
    const isConfigured = project.isPlainFile(`${buildDir}/build.ninja`);
    this.isCurrent = isConfigured && project.readIfPlain(this.path) === this.wanted && !this.isElsewhere;
  }

  /** CMake has configured as wanted. */
  remember(): Promise<void> {
    return this.project.replace(this.path, this.wanted);
  }

  /** What CMake looked for and did not find may be there the next time. */
  forget(): void {
    this.project.removeIfThere(this.path);
  }
}
