import { chmod, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MODULES } from "../../src/run/testing/makeFake.js";
import { topologyFormat, type Toolchain } from "../../src/server/projects/toolchain.js";

const SCRIPT = fileURLToPath(new URL("../../src/run/testing/fakeBinary.mjs", import.meta.url));

/** A drawing with one binary; the text of its `doc` decides what the generator makes of its binaries. */
export const drawing = (doc: string, binary: object = {}): string =>
  JSON.stringify({
    penstock: 1,
    name: "fake",
    doc,
    messages: [{ name: "M" }],
    services: [{ name: "GetAd", request: "M" }],
    bundles: [{ name: "All", services: ["GetAd"] }],
    binaries: [{ name: "app", bundles: ["All"], ...binary }],
  });

const presets = {
  version: 6,
  configurePresets: [{ name: "release", generator: "Ninja", binaryDir: "${sourceDir}/build/release" }],
};

/** A benchmark program with one benchmark of 250 ns; told so, it takes as long as nobody ends it. */
const benches = (endless: boolean): string => `#!/bin/sh
for argument; do
  case "$argument" in
    --benchmark_list_tests*) echo GetAd/real_time; exit 0 ;;
    --benchmark_out=*) report="\${argument#--benchmark_out=}" ;;
  esac
done
${endless ? "exec sleep 3600" : ""}
echo '{"benchmarks":[{"run_type":"iteration","real_time":250,"time_unit":"ns"}]}' > "$report"
`;

/** What the build does; told so, it takes as long as nobody ends it. */
function commandOf(doc: string, projectDir: string, app: string): string {
  if (doc === "broken")
    return `sh -c "echo '${projectDir}/src/services/get_ad.cpp:7:3: error: no such thing'; exit 1"`;
  if (doc.includes("endlessBuild")) return "sleep 3600";
  return `cmake -E copy \${CMAKE_SOURCE_DIR}/generated/app.mjs ${app}`;
}

/**
 * Generates a project that real CMake and Ninja build in no time: its binary is a copy of the fake
 * one. `doc` is the fake's configuration as JSON, in `of` what only one of several binaries has; "broken" makes a build that fails.
 */
export const fakeToolchain: Toolchain = {
  format: topologyFormat,
  async generate(projectDir) {
    const topology = JSON.parse(await readFile(join(projectDir, "topology.json"), "utf8")) as {
      doc: string;
      binaries: { name: string }[];
    };
    const { doc } = topology;
    const apps = topology.binaries.map(({ name }) => name);
    const broken = doc === "broken";
    await mkdir(join(projectDir, "generated", "config"), { recursive: true });
    await copyFile(SCRIPT, join(projectDir, "generated", "app.mjs"));
    await chmod(join(projectDir, "generated", "app.mjs"), 0o755);
    const commands = apps.map(
      (app) =>
        `add_custom_command(OUTPUT ${app} COMMAND ${commandOf(doc, projectDir, app)} DEPENDS generated/app.mjs VERBATIM)\n`,
    );
    await writeFile(
      join(projectDir, "CMakeLists.txt"),
      `cmake_minimum_required(VERSION 3.25)\nproject(fake NONE)\n${commands.join("")}add_custom_target(everything ALL DEPENDS ${apps.join(" ")})\nadd_custom_target(Benches COMMAND cmake -E copy \${CMAKE_SOURCE_DIR}/generated/benches.sh Checks/fake_benches)\n`,
    );
    await mkdir(join(projectDir, "bench"), { recursive: true });
    await writeFile(join(projectDir, "bench", "get_ad_bench.cpp"), "");
    await writeFile(join(projectDir, "generated", "benches.sh"), benches(doc.includes("endlessBench")), {
      mode: 0o755,
    });
    await writeFile(join(projectDir, "CMakePresets.json"), JSON.stringify(presets));
    const { of = {}, ...config } = broken ? {} : (JSON.parse(doc) as { of?: Record<string, object> });
    for (const app of apps) {
      const text = JSON.stringify({ binary: app, modules: MODULES, ...config, ...of[app] });
      await writeFile(join(projectDir, "generated", "config", `${app}.json`), text);
    }
    return {
      ok: true,
      problems: [],
      written: ["CMakeLists.txt"],
      unchanged: 0,
      removed: [],
      milliseconds: 1,
    };
  },
  describeSources: async () => [],
  keptSources: async () => new Map(),
  formerSources: async () => [],
  followHandlers: async () => ({ problems: [], changes: [] }),
  nodes: async () => ({ nodes: [], sources: [], problems: [] }),
  variablesRead: async () => [],
};
