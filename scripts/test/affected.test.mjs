import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { namedToVitest, plainRooms, roomsAffected, testedRooms } from "./affected.mjs";
import { chosenOf } from "./changed.mjs";
import { hasInputs, isInput } from "./inputs.mjs";
import { SECTIONS } from "./sections.mjs";
import { changedFor } from "./since.mjs";
import { sourcesOf } from "./sources.mjs";
import { stampOf, writeSectionStamp } from "./stamps.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const sources = sourcesOf(repository);
const tested = testedRooms(sources);
const affected = (...files) => roomsAffected(files, tested);

test("a room's change is for its tests and for those of the rooms above it", () => {
  expect(tested).toEqual(expect.arrayContaining(["call", "flow", "app", "samples", "programs", "compare"]));
  expect(affected("runtime-cpp/penstock/edge/server.cpp")).toEqual(["edge", "app", "samples", "programs"]);
  const call = affected("runtime-cpp/penstock/call/frame/frame.hpp");
  expect(call).toEqual(
    expect.arrayContaining(["call", "flow", "control", "edge", "app", "sqlite", "samples"]),
  );
  expect(call).not.toContain("exec");
  expect(call).not.toContain("codec");
});

test("a test's change is for its room alone", () => {
  expect(affected("runtime-cpp/penstock/exec/pool.test.cpp")).toEqual(["exec"]);
  expect(affected("runtime-cpp/testing/samples/samples.test.cpp")).toEqual(["samples"]);
  expect(affected("docs/wire.md")).toEqual(["net"]);
});

test("what the simulated world is made of is for it, its own tests for nothing else", () => {
  for (const file of [
    "penstock/exec/pool.cpp",
    "penstock/message/message.hpp",
    "penstock/app/joins/joins.cpp",
    "penstock/net/link/link.cpp",
  ])
    expect(affected(`runtime-cpp/${file}`), file).toContain("world");
  for (const file of ["penstock/flow/flow.world.cpp", "testing/world/fiber.cpp"])
    expect(affected(`runtime-cpp/${file}`), file).toEqual(["world"]);
  // The tests of calls run there as they stand.
  expect(affected("runtime-cpp/penstock/call/service/steal.test.cpp")).toEqual(["call", "world"]);
  expect(affected("runtime-cpp/penstock/http/listener.cpp")).not.toContain("world");
  const plain = plainRooms(sources);
  expect(plain).toEqual(expect.arrayContaining(["mailbox", "call", "unmetered", "world"]));
  expect(plain).not.toContain("http");
});

test("what is in no room is for all, what is no C++ of the runtime for none", () => {
  for (const file of [
    "penstock/service.hpp",
    "testing/support/gate.hpp",
    "CMakeLists.txt",
    "penstock/new/x.hpp",
  ])
    expect(affected(`runtime-cpp/${file}`)).toEqual(tested);
  expect(affected("runtime-cpp/fuzz/json.fuzz.cpp", "runtime-cpp/penstock/call/call.bench.cpp")).toEqual([]);
});

test("what is read by its path is for the modules that name its folder, what is imported for vitest", () => {
  const canvas = "designer/src/kernel/document/store.ts";
  expect(namedToVitest(repository, [canvas, "designer/src/gone.ts"], sources)).toEqual([canvas]);
  const templates = namedToVitest(repository, ["templates/README.md"], sources);
  expect(templates).toContain("codegen/src/render/renderProject.ts");
  expect(namedToVitest(repository, ["docs/faults.md"], sources)).toContain("scripts/faults/faults.test.mjs");
  const sheet = namedToVitest(repository, ["designer/src/kernel/ui/look/tokens.css"], sources);
  expect(sheet).toContain("designer/src/shell/chartColours.test.ts");
  expect(sheet.length).toBeLessThan(10);
});

test("what a comment names is not read", () => {
  const readers = namedToVitest(repository, ["runtime-cpp/penstock/http/listener.cpp"], sources);
  expect(readers).toContain("scripts/check/import-directions.mjs");
  // One compares the rows of samples of both languages, one the limits, one reads the page of the exposed services, one
  // builds the wire of the soak, one lets a fence show where CMake's files of the runtime lie.
  const rows = "codegen/src/contract/liveRows.test.ts";
  const limits = "codegen/src/model/topology/schema/limits.test.ts";
  const page = "codegen/src/render/openApi/page.test.ts";
  const wire = "codegen/test/support/badWire.ts";
  const builds = "codegen/test/support/build.ts";
  expect(readers.filter((file) => /^(codegen|designer)\//.test(file))).toEqual([
    rows,
    limits,
    page,
    wire,
    builds,
  ]);
});

/** The sections of which something is run when this file is changed, beside the fast checks. */
const sectionsOf = (file) =>
  SECTIONS.map(({ name }) => name).filter(
    (name) =>
      hasInputs(name) && isInput(name, file) && chosenOf(name, repository, [file], sources).length > 0,
  );

test.each([
  ["designer/src/kernel/ui/icons/NodeIcon.tsx", ["designer"]],
  ["codegen/src/model/validate/validate.ts", ["units", "designer"]],
  ["codegen/src/imports/report.ts", ["units", "designer"]],
  ["codegen/src/flame/layout.ts", ["units", "designer"]],
  ["codegen/src/build/configure.ts", ["units"]],
  ["codegen/test/flows.test.ts", ["units", "builds"]],
  ["codegen/test/soak/capacity.test.ts", ["units"]],
  ["scripts/setup/apt.mjs", ["units"]],
  ["e2e/tests/ads.spec.ts", ["browser"]],
  ["runtime-cpp/penstock/call/frame/frame.hpp", ["units", "runtime", "asan"]],
  ["runtime-cpp/penstock/http/listener.cpp", ["units", "runtime", "asan"]],
  ["runtime-cpp/penstock/sqlite/connection.cpp", ["units", "asan"]],
])("a change of %s is for %j", (file, sections) => {
  expect(sources.has(file), "it is in this clone").toBe(true);
  expect(sectionsOf(file)).toEqual(sections);
});

test("where nobody knows what changed, all is run that has no binaries to build", () => {
  const all = (section) => chosenOf(section, repository, undefined, sources);
  expect([all("units"), all("designer")]).toEqual([undefined, undefined]);
  expect(all("asan")).toEqual(tested);
  expect([all("builds"), all("browser"), all("tsan"), all("tidy")]).toEqual([[], [], [], []]);
});

test("what has changed since the branch left is asked of git, for a section of what it reads", () => {
  const clone = mkdtempSync(path.join(tmpdir(), "penstock-since-"));
  const git = (...args) =>
    expect(
      spawnSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...args], { cwd: clone }).status,
    ).toBe(0);
  const put = (file, text) => {
    mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
    writeFileSync(path.join(clone, file), text);
  };
  try {
    git("init", "-q", "-b", "main");
    put("designer/src/a.ts", "1");
    git("add", ".");
    git("commit", "-qm", "one");
    git("checkout", "-qb", "branch");
    put("designer/src/a.ts", "2");
    git("commit", "-qam", "two");
    put("designer/src/b.ts", "3");
    const state = { folder: path.join(clone, ".git", "stamps"), sources: sourcesOf(clone), tools: "tools" };
    const changed = (section) => changedFor(clone, section, state).files;
    expect(changed("designer")).toEqual(["designer/src/a.ts", "designer/src/b.ts"]);
    expect(changed("asan")).toEqual([]);
    writeSectionStamp(state.folder, "designer", stampOf("designer", state.sources, "tools"));
    expect(changed("designer")).toEqual([]);
    expect(changed("units")).toEqual(["designer/src/a.ts", "designer/src/b.ts"]);
    writeSectionStamp(state.folder, "designer", stampOf("designer", state.sources, "other tools"));
    expect(changedFor(clone, "designer", state)).toBeUndefined();
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});
