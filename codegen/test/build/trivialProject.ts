import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A project of two services and a binary `app`, small enough to be compiled in a test. */
const TOPOLOGY = {
  penstock: 1,
  name: "trivial",
  messages: [{ name: "M" }],
  services: [
    { name: "GetAd", request: "M" },
    { name: "LogAd", request: "M" },
  ],
  bundles: [{ name: "All", services: ["GetAd", "LogAd"] }],
  binaries: [{ name: "app", bundles: ["All"] }],
};

const FILES: Record<string, string> = {
  "topology.json": JSON.stringify(TOPOLOGY),
  "CMakeLists.txt": `cmake_minimum_required(VERSION 3.25)
project(trivial CXX)
set(CMAKE_CXX_STANDARD 20)
add_executable(app generated/binaries/app.cpp src/services/get_ad.cpp src/services/log_ad.cpp)
target_include_directories(app PRIVATE generated)
target_compile_options(app PRIVATE -Wall)
`,
  "CMakePresets.json": JSON.stringify({
    version: 6,
    configurePresets: [
      {
        name: "release",
        generator: "Ninja",
        binaryDir: "${sourceDir}/build/release",
        cacheVariables: { CMAKE_BUILD_TYPE: "Release" },
      },
    ],
  }),
  "generated/services/get_ad.hpp": "#pragma once\nnamespace trivial { struct GetAd { int handle(int); }; }\n",
  "generated/config/app.json": '{ "binary": "app" }\n',
  "generated/binaries/app.cpp":
    '#include "services/get_ad.hpp"\nint log_ad();\nint main() { return trivial::GetAd{}.handle(0) + log_ad(); }\n',
  "src/services/get_ad.cpp":
    '#include "services/get_ad.hpp"\nint trivial::GetAd::handle(int n) { return n; }\n',
  "src/services/log_ad.cpp": "int log_ad() { return 0; }\n",
};

/** Writes it below `root` (a fresh temporary folder when left out) and returns where things are. */
export async function makeTrivialProject(
  root?: string,
): Promise<{ root: string; projectDir: string; runtimeRoot: string }> {
  const base = root ?? (await mkdtemp(join(tmpdir(), "penstock-build-")));
  const projectDir = join(base, "trivial");
  const runtimeRoot = join(base, "runtime");
  await mkdir(join(runtimeRoot, "release", "prefix"), { recursive: true });
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(projectDir, path)), { recursive: true });
    await writeFile(join(projectDir, path), text);
  }
  return { root: base, projectDir, runtimeRoot };
}
