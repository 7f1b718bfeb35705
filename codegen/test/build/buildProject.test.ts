import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildProject, findGoodBinary, missingTools, type BuildResult } from "../../src/build/index.js";
import { sandboxObstacle } from "../../src/process/index.js";
import type { BuildStatus } from "../../src/contract/index.js";
import { until } from "../../src/server/testing/until.js";
import { makeTrivialProject } from "./trivialProject.js";

let root: string;
let projectDir: string;
let runtimeRoot: string;
beforeEach(async () => {
  ({ root, projectDir, runtimeRoot } = await makeTrivialProject());
  process.env["XDG_STATE_HOME"] = join(root, "state");
});
afterEach(() => rm(root, { recursive: true, force: true }));

interface Extra {
  preset?: string;
  signal?: AbortSignal;
  wallMs?: number;
  memoryBytes?: number;
  env?: NodeJS.ProcessEnv;
  onOutput?: (line: string) => void;
}
async function build(extra: Extra = {}): Promise<BuildResult & { statuses: BuildStatus[] }> {
  const statuses: BuildStatus[] = [];
  const result = await buildProject({
    projectDir,
    runtimeRoot,
    preset: "release",
    signal: new AbortController().signal,
    onStatus: (status) => statuses.push(status),
    ...extra,
  });
  return { ...result, statuses };
}
const write = (path: string, text: string): Promise<void> => writeFile(join(projectDir, path), text);
const good = async (): Promise<string> => {
  const found = findGoodBinary(projectDir, "release", "app");
  return found
    ? createHash("sha256")
        .update(await readFile(found.executable))
        .digest("hex")
    : "none";
};

test("should build with ninja's own progress, keep the binary, and do nothing the second time", async () => {
  const first = await build();
  expect(first.problems).toEqual([]);
  expect(first).toMatchObject({ ok: true, outcome: "succeeded", binaries: [{ name: "app" }] });
  const compiling = first.statuses.filter(({ phase, total }) => phase === "compiling" && total > 0);
  expect(compiling.at(-1)).toMatchObject({ done: 4, total: 4 });
  expect(compiling.map(({ current }) => current)).toContain("src/services/get_ad.cpp");
  const kept = findGoodBinary(projectDir, "release", "app");
  execFileSync(kept?.executable ?? "");
  const again = await build();
  expect(again.ok).toBe(true);
  expect(again.output.join("\n")).toContain("no work to do");
  expect(again.statuses.some(({ total }) => total > 0)).toBe(false);
});

test.each(["g++", "clang++-16"])(
  "row 11: a compile error of %s is on its node with its line, and the last good binary is kept",
  async (compiler) => {
    const env = { ...process.env, CXX: compiler };
    expect((await build({ env })).ok).toBe(true);
    const before = await good();
    await write(
      "src/services/get_ad.cpp",
      '#include "services/get_ad.hpp"\n\nint trivial::GetAd::handle(int n) {\n  return n + missing;\n}\n',
    );
    const failed = await build({ env });
    expect(failed.outcome).toBe("failed");
    expect(failed.problems[0]).toMatchObject({
      code: "PS850",
      severity: "error",
      file: "src/services/get_ad.cpp",
      line: 4,
      column: 14,
      node: "service:GetAd",
    });
    expect(failed.problems[0]?.message).toContain("missing");
    expect(await good()).toBe(before);
  },
);

test("row 11: a missing handler is on its node too, and a warning does not fail the build", async () => {
  await write("src/services/get_ad.cpp", "int unrelated() { int unused = 1; return 0; }\n");
  const failed = await build();
  expect(failed.outcome).toBe("failed");
  expect(failed.problems).toContainEqual(expect.objectContaining({ code: "PS852", node: "service:GetAd" }));
  await write(
    "src/services/get_ad.cpp",
    '#include "services/get_ad.hpp"\nint trivial::GetAd::handle(int n) { int unused = 1; return n; }\n',
  );
  const warned = await build();
  expect(warned.ok).toBe(true);
  expect(warned.problems).toMatchObject([
    { code: "PS851", severity: "warning", node: "service:GetAd", line: 2 },
  ]);
});

test("row 11: an error in a CMake file names its line", async () => {
  await write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(trivial CXX)\nnonsense()\n");
  const failed = await build();
  expect(failed.problems[0]).toMatchObject({ code: "PS853", file: "CMakeLists.txt", line: 3 });
});

test("row 12: a template bomb times out, its whole group is killed, and the last binary stays", async () => {
  expect((await build()).ok).toBe(true);
  const before = await good();
  await write(
    "src/services/log_ad.cpp",
    "template <int D, int N> struct B { enum { v = B<D - 1, N * 2>::v + B<D - 1, N * 2 + 1>::v }; };\n" +
      "template <int N> struct B<0, N> { enum { v = N & 1 }; };\nint log_ad() { return B<26, 1>::v; }\n",
  );
  const failed = await build({ wallMs: 4_000 });
  expect(failed.problems).toMatchObject([{ code: "PS856" }]);
  expect(failed.problems[0]?.message).toContain("timed out after 4 s");
  // Killed they are; the kernel takes them away when it comes to it.
  const compiled = join(projectDir, "src/services/log_ad.cpp");
  await until(
    "no compiler is left",
    () => !execFileSync("ps", ["-eo", "args"]).toString().includes(compiled),
  );
  expect(await good()).toBe(before);
});

test.each(["g++", "clang++-16"])(
  "row 13: memory that %s wants beyond the limit ends the build by name, and the last binary stays",
  async (compiler) => {
    const env = { ...process.env, CXX: compiler };
    expect((await build({ env })).ok).toBe(true);
    const before = await good();
    await write(
      "src/services/log_ad.cpp",
      "#include <utility>\nauto all = std::make_integer_sequence<int, 1 << 27>{};\nint log_ad() { return 0; }\n",
    );
    const failed = await build({ env, memoryBytes: 512 * 1024 ** 2 });
    expect(failed.outcome).toBe("failed");
    expect(failed.problems[0]).toMatchObject({
      code: "PS857",
      message: expect.stringContaining("out of memory limit"),
    });
    expect(await good()).toBe(before);
    // This process has lived on and builds what can be built, under the same limit.
    await write("src/services/log_ad.cpp", "int log_ad() { return 1; }\n");
    expect(await build({ env, memoryBytes: 512 * 1024 ** 2 })).toMatchObject({ ok: true, problems: [] });
  },
);

test("row 14: a missing compiler, cmake or ninja is named with the command that installs it", async () => {
  const tools = join(root, "bin");
  await mkdir(tools);
  for (const name of ["cmake", "ninja", "sh"]) await symlink(`/usr/bin/${name}`, join(tools, name));
  const env = { ...process.env, PATH: tools, CXX: "" };
  const failed = await build({ env });
  expect(failed.outcome).toBe("environment");
  expect(failed.problems).toMatchObject([
    { code: "PS854", help: expect.stringContaining("apt-get install") },
  ]);
  expect(failed.problems[0]?.message).toContain("g++");
  await rm(join(tools, "ninja"));
  expect((await missingTools(env)).map(({ tool }) => tool)).toEqual(["ninja", "g++"]);
  expect((await missingTools({ ...env, CXX: "icpx -O2" })).at(-1)).toEqual({
    tool: "icpx",
    help: "CXX names it: install icpx, or unset CXX.",
  });
  expect(await readFile(join(projectDir, "topology.json"), "utf8")).toContain("trivial");
});

test("row 8: a full disk is named by the build, and the previous binary stays", async () => {
  const small = join(root, "small");
  await mkdir(small);
  let mounted = false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", small], { stdio: "ignore" });
    mounted = true;
  } catch {
    // Without the right to mount, a folder that refuses to grow stands in for a full disk.
    execFileSync("sh", ["-c", "true"]);
  }
  if (!mounted) return;
  try {
    ({ projectDir, runtimeRoot } = await makeTrivialProject(small));
    expect((await build()).ok).toBe(true);
    const before = await good();
    execFileSync("sh", ["-c", `head -c 100m /dev/zero > ${small}/filler || true`], { stdio: "ignore" });
    await write("src/services/log_ad.cpp", "int log_ad() { return 1; }\n").catch(() => undefined);
    execFileSync("touch", [join(projectDir, "src/services/log_ad.cpp")]);
    const failed = await build();
    expect(failed.outcome).toBe("environment");
    expect(failed.problems[0]).toMatchObject({ code: "PS858" });
    expect(failed.problems[0]?.message).toContain("no space left");
    expect(await good()).toBe(before);
  } finally {
    execFileSync("umount", ["-l", small]);
  }
});

test("should stop all compilers when it is cancelled, and build again afterwards", async () => {
  const abort = new AbortController();
  await write(
    "src/services/log_ad.cpp",
    "template <int D, int N> struct B { enum { v = B<D - 1, N * 2>::v + B<D - 1, N * 2 + 1>::v }; };\n" +
      "template <int N> struct B<0, N> { enum { v = N & 1 }; };\nint log_ad() { return B<26, 1>::v; }\n",
  );
  const cancelled = await build({
    signal: abort.signal,
    onOutput: (line) => {
      if (line.startsWith("[1/")) abort.abort();
    },
  });
  expect(cancelled).toMatchObject({ ok: false, outcome: "cancelled", problems: [] });
  expect(cancelled.statuses.at(-1)?.phase).toBe("cancelled");
  await write("src/services/log_ad.cpp", "int log_ad() { return 0; }\n");
  expect((await build()).ok).toBe(true);
});

test("should say that a library is missing when CMake has no such target, and look for it again", async () => {
  const request = { projectDir, runtimeRoot, preset: "release", signal: new AbortController().signal };
  const configured = join(projectDir, "build", "kept", "release", "configured");
  expect((await build()).ok).toBe(true);
  await stat(configured);
  const lacking = await buildProject({ ...request, target: "Benches" });
  expect(lacking).toMatchObject({ outcome: "environment", binaries: [], problems: [{ code: "PS864" }] });
  expect(lacking.problems[0]?.help).toContain("libbenchmark-dev");
  // Installed meanwhile: nothing of the project has changed, but CMake has to be asked again.
  await expect(stat(configured)).rejects.toThrow("ENOENT");
});

test("should build one project once at a time", async () => {
  const [first, second] = await Promise.all([build(), build()]);
  const codes = [first, second].map(({ outcome }) => outcome).sort();
  expect(codes).toEqual(["environment", "succeeded"]);
  const refused = first.ok ? second : first;
  expect(refused.problems[0]).toMatchObject({
    code: "PS859",
    message: expect.stringContaining(String(process.pid)),
  });
});

test("should keep the compiler from home, state and project files it has no business with", async () => {
  if ((await sandboxObstacle()) !== "") return;
  const secret = join(root, "state", "penstock", "secret");
  await mkdir(join(root, "state", "penstock"), { recursive: true });
  await writeFile(secret, "the token\n");
  await write("src/services/log_ad.cpp", `#include ${JSON.stringify(secret)}\nint log_ad() { return 0; }\n`);
  const failed = await build();
  expect(failed.output.join("\n")).not.toContain("the token");
  expect(failed.problems[0]?.message).toContain("No such file");
  const marker = join(projectDir, "written-by-cmake");
  await write(
    "CMakeLists.txt",
    `cmake_minimum_required(VERSION 3.25)\nproject(t CXX)\nfile(WRITE ${marker} x)\n`,
  );
  expect((await build()).ok).toBe(false);
  await expect(stat(marker)).rejects.toThrow("ENOENT");
});

test("should give compilers a cache of the project's own, or the one that all builds are to share", async () => {
  if ((await sandboxObstacle()) !== "") return;
  const launcher = join(projectDir, "keep");
  await write("keep", '#!/bin/sh\necho "$CCACHE_MAXSIZE" >>"$CCACHE_DIR/asked"\nexec "$@"\n');
  await chmod(launcher, 0o755);
  const env = { ...process.env, CMAKE_CXX_COMPILER_LAUNCHER: launcher };
  expect((await build({ env })).problems).toEqual([]);
  expect(await readFile(join(projectDir, "build/release/ccache/asked"), "utf8")).toMatch(/^(1G\n){3,}$/);

  const shared = join(root, "shared");
  await write("src/services/log_ad.cpp", "int log_ad() { return 1; }\n");
  expect((await build({ env: { ...env, PENSTOCK_CCACHE: shared } })).problems).toEqual([]);
  expect(await readFile(join(shared, "asked"), "utf8")).toBe("\n");
  expect((await stat(shared)).mode & 0o777).toBe(0o700);
});

test("should build a project that was moved with its build folder", async () => {
  expect((await build()).ok).toBe(true);
  const before = projectDir;
  projectDir = join(root, "moved");
  await rename(before, projectDir);
  await write("src/services/log_ad.cpp", "int log_ad() { return 0 * 1; }\n");
  const moved = await build();
  expect(moved.problems).toEqual([]);
  expect(moved.ok).toBe(true);
});

test("should keep nothing of a build beside which the project was generated anew", async () => {
  expect((await build()).ok).toBe(true);
  const before = await good();
  await write("src/services/log_ad.cpp", "int log_ad() { return 7; }\n");
  const mixed = await build({
    onOutput: () => writeFileSync(join(projectDir, "generated", "manifest.json"), "another"),
  });
  expect(mixed).toMatchObject({ outcome: "failed", problems: [{ code: "PS865" }] });
  expect(await good()).toBe(before);
  expect((await build()).ok).toBe(true);
  expect(await good()).not.toBe(before);
});

test.each(["build", "build/release"])("row 70: a link in the place of %s is not followed", async (place) => {
  const elsewhere = join(root, "elsewhere");
  await mkdir(elsewhere);
  await mkdir(dirname(join(projectDir, place)), { recursive: true });
  await symlink(elsewhere, join(projectDir, place));
  expect(await build()).toMatchObject({ outcome: "failed", problems: [{ code: "PS866" }] });
  expect(await readdir(elsewhere)).toEqual([]);
});

test("should say what is in the way when there is nothing to build or no runtime", async () => {
  await rm(join(runtimeRoot, "release"), { recursive: true });
  expect((await build()).problems).toMatchObject([
    { code: "PS855", help: expect.stringContaining("npm run setup") },
  ]);
  expect((await build({ preset: "asan" })).problems).toMatchObject([
    { code: "PS855", help: "Run npm run setup -- --preset asan in the Penstock repository." },
  ]);
  await rm(join(projectDir, "CMakeLists.txt"));
  expect((await build()).problems).toMatchObject([
    { code: "PS860", message: "The project has no CMakeLists.txt" },
  ]);
  await chmod(projectDir, 0o755);
});
