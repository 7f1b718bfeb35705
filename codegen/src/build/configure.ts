import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Whether CMake has to configure again. Ninja itself notices changed CMake files; what it cannot
 * see is another preset, prefix or compiler given on the command line.
 */
export class ConfigureStamp {
  private constructor(
    private readonly path: string,
    private readonly wanted: string,
    readonly isCurrent: boolean,
    /** The build folder is another project's, or this one's before it was moved: CMake begins anew. */
    readonly isElsewhere: boolean,
  ) {}

  static async of(projectDir: string, buildDir: string, args: string[]): Promise<ConfigureStamp> {
    const path = join(buildDir, "penstock-configured");
    const presets = await readFile(join(projectDir, "CMakePresets.json")).catch(() => Buffer.alloc(0));
    const wanted = createHash("sha256")
      .update(JSON.stringify([args, process.env["CXX"] ?? "", process.env["CXXFLAGS"] ?? ""]))
      .update(presets)
      .digest("hex");
    const [found, ninja, cache] = await Promise.all([
      readFile(path, "utf8").catch(() => ""),
      readFile(join(buildDir, "build.ninja")).catch(() => undefined),
      readFile(join(buildDir, "CMakeCache.txt"), "utf8").catch(() => ""),
    ]);
    const home = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(cache)?.[1];
    const isElsewhere = home !== undefined && home !== projectDir;
    const isCurrent = ninja !== undefined && found === wanted && !isElsewhere;
    return new ConfigureStamp(path, wanted, isCurrent, isElsewhere);
  }

  /** CMake has configured as wanted. */
  remember(): Promise<void> {
    return writeFile(this.path, this.wanted);
  }

  /** What CMake looked for and did not find may be there the next time. */
  forget(): Promise<void> {
    return rm(this.path, { force: true });
  }
}
