import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { benchProject } from "../../src/bench/index.js";
import { buildProject, findGoodBinary, type BuildResult } from "../../src/build/index.js";
import { binaryFence } from "../../src/run/index.js";
import { runFolder } from "../../src/run/start/runFolder.js";

/** Links that the project's own CMake files put where the server looks, outside every sandbox. */

let root: string;
let projectDir: string;
let outside: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "penstock-links-")));
  process.env["XDG_STATE_HOME"] = join(root, "state");
  projectDir = join(root, "sent");
  outside = join(root, "outside");
  mkdirSync(join(root, "runtime", "release", "prefix"), { recursive: true });
  mkdirSync(outside);
  mkdirSync(join(projectDir, "generated", "config"), { recursive: true });
  mkdirSync(join(projectDir, "bench"));
  writeFileSync(join(projectDir, "bench", "get_ad_bench.cpp"), "");
  writeFileSync(join(outside, "secret.txt"), "the secret\n", { mode: 0o600 });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A project whose build makes `app`, then does what `script` says in the build folder, as any CMake file may. */
function sent(script: string, binaries = ["app"], target = ""): void {
  const topology = {
    penstock: 1,
    name: "sent",
    messages: [{ name: "M" }],
    services: [{ name: "GetAd", request: "M" }],
    bundles: [{ name: "All", services: ["GetAd"] }],
    binaries: binaries.map((name) => ({ name, bundles: ["All"] })),
  };
  const write = (path: string, text: string): void => writeFileSync(join(projectDir, path), text);
  write("topology.json", JSON.stringify(topology));
  for (const name of binaries) write(`generated/config/${name}.json`, "{}");
  write("attack.sh", `set -e\ncd "$1"\nprintf '#!/bin/sh\\necho app\\n' > app\nchmod +x app\n${script}\n`);
  write(
    "CMakeLists.txt",
    `cmake_minimum_required(VERSION 3.25)
project(sent NONE)
add_custom_target(app COMMAND sh \${CMAKE_SOURCE_DIR}/attack.sh \${CMAKE_BINARY_DIR})
add_custom_target(loot DEPENDS app)
${target}
`,
  );
  const release = { name: "release", generator: "Ninja", binaryDir: "${sourceDir}/build/release" };
  write("CMakePresets.json", JSON.stringify({ version: 6, configurePresets: [release] }));
}

const request = () => ({
  projectDir,
  runtimeRoot: join(root, "runtime"),
  signal: new AbortController().signal,
});
const build = (): Promise<BuildResult> => buildProject({ ...request(), preset: "release" });

test("row 70: a link named last-good in the build folder takes no binary out of the project", async () => {
  const bin = join(outside, "bin");
  mkdirSync(bin);
  sent(`ln -sfn ${bin} last-good`);
  expect(await build()).toMatchObject({ ok: true, problems: [] });
  expect(readdirSync(bin)).toEqual([]);
  const good = findGoodBinary(projectDir, "release", "app");
  expect(execFileSync(good?.executable ?? "", { encoding: "utf8" })).toBe("app\n");
  expect(realpathSync(good?.executable ?? "")).toBe(join(projectDir, "build/kept/release/last-good/app"));
});

test("row 70: a link in the place of a stamp of the server's overwrites nothing", async () => {
  sent(`ln -sfn ${outside}/secret.txt penstock-configured\nln -sfn ${outside}/secret.txt configured`);
  expect((await build()).ok).toBe(true);
  expect((await build()).ok).toBe(true);
  expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("the secret\n");
});

test("row 70: a link in the place of a binary is refused, and what it leads to is copied nowhere", async () => {
  sent(`ln -sfn ${outside}/secret.txt loot`, ["app", "loot"]);
  const failed = await build();
  expect(failed).toMatchObject({ outcome: "failed", binaries: [], problems: [{ code: "PS866" }] });
  expect(failed.problems[0]?.message).toContain("build/release/loot");
  expect(findGoodBinary(projectDir, "release", "loot")).toBeUndefined();
  const found = execFileSync("sh", ["-c", `grep -rl 'the secret' ${projectDir} || true`], {
    encoding: "utf8",
  });
  expect(found).toBe("");
});

test("row 70: a link on the way to a binary's configuration is refused too", async () => {
  sent("true");
  rmSync(join(projectDir, "generated/config"), { recursive: true });
  symlinkSync(outside, join(projectDir, "generated/config"));
  writeFileSync(join(outside, "app.json"), "{}");
  expect(await build()).toMatchObject({ outcome: "failed", problems: [{ code: "PS866" }] });
});

test("row 70: a FIFO in the place of CMake's cache does not hold the next build", async () => {
  sent("true");
  expect((await build()).ok).toBe(true);
  rmSync(join(projectDir, "build/release/CMakeCache.txt"));
  execFileSync("mkfifo", [join(projectDir, "build/release/CMakeCache.txt")]);
  // Ninja itself would ask CMake for its cache anew; what matters is that the server comes as far as that.
  rmSync(join(projectDir, "build/release/build.ninja"));
  symlinkSync("/dev/zero", join(projectDir, "build/release/build.ninja"));
  const aborted = new AbortController();
  const result = await buildProject({
    ...request(),
    preset: "release",
    signal: aborted.signal,
    onStatus: () => aborted.abort(),
  });
  expect(result.outcome).toBe("cancelled");
});

test.each(["build/kept", "build/kept/release", "build/penstock-build.lock"])(
  "row 70: a link that came with the project in the place of %s leads nowhere",
  async (place) => {
    sent("true");
    mkdirSync(join(projectDir, place, ".."), { recursive: true });
    symlinkSync(place.endsWith("lock") ? join(outside, "secret.txt") : outside, join(projectDir, place));
    await build();
    expect(readdirSync(outside)).toEqual(["secret.txt"]);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("the secret\n");
  },
);

test("should let no other user start what a build left behind to run as its owner", async () => {
  sent("cp app helper\nchmod 4755 app helper");
  expect((await build()).ok).toBe(true);
  expect(statSync(join(projectDir, "build/release/helper")).mode & 0o4000).toBe(0o4000);
  expect(statSync(join(projectDir, "build")).mode & 0o777).toBe(0o700);
});

test("row 70: benchmarks follow no link to a program, a report or kept figures", async () => {
  const benches = (script: string): string =>
    `add_custom_target(Benches COMMAND sh -c "${script}" WORKING_DIRECTORY \${CMAKE_BINARY_DIR} VERBATIM)`;
  writeFileSync(join(outside, "ran.sh"), `#!/bin/sh\necho GetAd\ntouch ${outside}/ran\n`, { mode: 0o755 });
  sent("true", ["app"], benches(`mkdir -p Checks && ln -sfn ${outside}/ran.sh Checks/sent_benches`));
  expect((await benchProject(request())).problems).toMatchObject([{ code: "PS866" }]);
  expect(readdirSync(outside)).not.toContain("ran");

  writeFileSync(
    join(projectDir, "benches.sh"),
    `#!/bin/sh
for argument; do
  case "$argument" in
    --benchmark_list_tests*) echo GetAd; exit 0 ;;
    --benchmark_out=*) mkfifo "\${argument#--benchmark_out=}" ;;
  esac
done
`,
    { mode: 0o755 },
  );
  sent("true", ["app"], benches("rm -rf Checks && mkdir Checks && cp ../../benches.sh Checks/sent_benches"));
  mkdirSync(join(projectDir, "build/kept"), { recursive: true });
  symlinkSync(join(outside, "secret.txt"), join(projectDir, "build/kept/bench.json"));
  const { figures, problems } = await benchProject(request());
  expect(problems[0]?.message).toContain("wrote no report");
  expect(figures.results).toEqual([]);
  expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("the secret\n");
});

test("row 70: a fenced binary's folder is made in the project, or not at all", () => {
  sent("true");
  expect(binaryFence(projectDir).writable).toEqual([join(projectDir, "build/data"), runFolder(projectDir)]);
  rmSync(join(projectDir, "build/data"), { recursive: true });
  symlinkSync(outside, join(projectDir, "build/data"));
  expect(() => binaryFence(projectDir)).toThrow("build/data");
});
