import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasInputs, isInput } from "./inputs.mjs";
import { SECTIONS } from "./sections.mjs";
import { sourcesOf } from "./sources.mjs";
import {
  filesChanged,
  isSame,
  readSectionStamp,
  stampFolder,
  stampOf,
  toolsHash,
  writeSectionStamp,
} from "./stamps.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const names = SECTIONS.map(({ name }) => name).filter(hasInputs);

let folder;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "penstock-stamps-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file, text) {
  const at = path.join(folder, file);
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, text);
}

describe("what a section reads", () => {
  test("every section but the fast checks says it", () => {
    expect(SECTIONS.map(({ name }) => name).filter((name) => !hasInputs(name))).toEqual(["checks"]);
  });

  test.each([
    ["runtime-cpp/penstock/call/frame/frame.cpp", names.filter((name) => name !== "designer")],
    ["scripts/test/stamps.mjs", names],
    ["scripts/setup/child.mjs", names],
    ["a-new-folder/a-new-file", names],
    ["a-new-file", names],
    ["runtime-cpp/a-new-folder/x.cpp", names.filter((name) => name !== "designer")],
    ["designer/src/features/canvas/FlowView.tsx", ["units", "designer", "builds", "browser"]],
    ["codegen/src/model/validate/validate.ts", ["units", "designer", "builds", "browser", "tidy-generated"]],
    ["codegen/src/model/validate/validate.test.ts", ["units"]],
    ["codegen/test/flows.test.ts", ["units", "builds"]],
    ["templates/src/service.cpp.hbs", ["units", "designer", "builds", "browser", "tidy-generated"]],
    ["e2e/tests/ads.spec.ts", ["units", "browser"]],
    ["package-lock.json", ["units", "designer", "builds", "browser", "tidy-generated"]],
    [
      "runtime-cpp/penstock/call/call.test.cpp",
      ["units", "runtime", "instructions", "asan", "tsan", "fuzz", "tidy"],
    ],
    ["README.md", ["units"]],
    ["docs/topology.md", ["units", "designer", "builds", "browser"]],
    ["docs/wire.md", names.filter((name) => name !== "tidy-generated")],
  ])("%s", (file, sections) => {
    expect(names.filter((name) => isInput(name, file)).toSorted()).toEqual(sections.toSorted());
  });

  test("what a C++ section compiles is its input, as far as it was built here", () => {
    for (const [section, build] of [
      ["asan", "build/runtime/asan"],
      ["tsan", "build/runtime/tsan"],
      ["runtime", "build/runtime/dev"],
      ["runtime", "build/runtime/plain"],
      ["instructions", "build/guard"],
      ["fuzz", "build/fuzz"],
    ]) {
      const { stdout } = spawnSync("ninja", ["-C", path.join(repository, build), "-t", "deps"], {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      });
      const read = new Set(
        [...stdout.matchAll(/^ {4}(.*)$/gm)]
          .map(([, file]) => path.relative(repository, path.resolve(repository, build, file)))
          .filter((file) => !file.startsWith("..") && !file.startsWith("build/")),
      );
      expect([...read].filter((file) => !isInput(section, file))).toEqual([]);
    }
  });
});

describe("a stamp", () => {
  test("holds while nothing is changed that the section reads, and not one file longer", () => {
    put("runtime-cpp/penstock/call/frame/frame.cpp", "int a;");
    put("designer/src/main.tsx", "1");
    put("scripts/test/ctest.mjs", "2");
    const kept = path.join(folder, "build", "stamps");
    const write = () => {
      for (const section of names)
        writeSectionStamp(kept, section, stampOf(section, sourcesOf(folder), "tools"));
    };
    const holding = (tools = "tools") =>
      names.filter((section) =>
        isSame(readSectionStamp(kept, section), stampOf(section, sourcesOf(folder), tools)),
      );
    write();
    expect(holding()).toEqual(names);
    expect(holding("another compiler")).toEqual([]);

    put("designer/src/main.tsx", "3");
    expect(holding()).toEqual(names.filter((name) => !isInput(name, "designer/src/main.tsx")));
    expect(holding()).toContain("asan");
    write();
    put("runtime-cpp/penstock/call/new.hpp", "");
    expect(holding()).toEqual(["designer"]);
    write();
    rmSync(path.join(folder, "scripts/test/ctest.mjs"));
    expect(holding()).toEqual([]);
    write();
    chmodSync(path.join(folder, "runtime-cpp/penstock/call/frame/frame.cpp"), 0o755);
    expect(holding()).toEqual(["designer"]);
  });

  test("holds for no section when one of its inputs in this clone is another", () => {
    const sources = sourcesOf(repository);
    for (const section of names) {
      const before = stampOf(section, sources, "tools");
      const files = Object.keys(before.files);
      expect(files.length).toBeGreaterThan(100);
      const touched = { ...before, files: Object.fromEntries(files.map((file) => [file, "touched"])) };
      expect(filesChanged(before, touched)).toEqual(files);
      const [first] = files;
      expect(isSame(before, { ...before, files: { ...before.files, [first]: "touched" } })).toBe(false);
    }
  });

  test("that is damaged, or of nowhere, is none", () => {
    put("kept/asan.json", "{");
    expect(readSectionStamp(path.join(folder, "kept"), "asan")).toBeUndefined();
    expect(readSectionStamp(undefined, "asan")).toBeUndefined();
    expect(isSame(undefined, { tools: "", files: {} })).toBe(false);
  });

  test("is kept in the clone, or in a cache folder, and not where all is forgotten", () => {
    expect(stampFolder("/clone", {})).toBe("/clone/build/stamps/sections");
    expect(stampFolder("/clone", { CI: "true" })).toBeUndefined();
    expect(stampFolder("/clone", { CI: "true", PENSTOCK_CACHE: "/cache" })).toBe("/cache/stamps");
  });
});

test("other flags are other tools", () => {
  const flags = toolsHash({ CXXFLAGS: "-O3" });
  expect(toolsHash({})).toBe(toolsHash({ HOME: "/elsewhere", PENSTOCK_CACHE: "/cache" }));
  expect(flags).not.toBe(toolsHash({}));
});

test("the sources are what git knows, and what it does not know yet", () => {
  const { status, stdout } = spawnSync("git", ["ls-files", "-z", "-c", "-o", "--exclude-standard"], {
    cwd: repository,
    encoding: "utf8",
  });
  // Without git nothing can be compared; what is listed is the same.
  const known = status === 0 ? stdout.split("\0").filter((file) => file !== "") : [];
  const listed = sourcesOf(repository);
  expect(known.filter((file) => !listed.has(file) && readable(file))).toEqual([]);
});

function readable(file) {
  try {
    readFileSync(path.join(repository, file));
    return true;
  } catch {
    return false;
  }
}
