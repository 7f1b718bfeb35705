import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { namedToVitest, roomsAffected, testedRooms } from "./affected.mjs";
import { sourcesOf } from "./sources.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const sources = sourcesOf(repository);
const tested = testedRooms(sources);
const affected = (...files) => roomsAffected(files, tested);

test("a room's change is for its tests and for those of the rooms above it", () => {
  expect(tested).toEqual(expect.arrayContaining(["call", "flow", "app", "samples", "programs", "compare"]));
  expect(affected("runtime-cpp/penstock/edge/server.cpp")).toEqual(["edge", "app", "samples", "programs"]);
  const call = affected("runtime-cpp/penstock/call/frame.hpp");
  expect(call).toEqual(
    expect.arrayContaining(["call", "flow", "control", "edge", "app", "sqlite", "samples"]),
  );
  expect(call).not.toEqual(expect.arrayContaining(["exec"]));
  expect(call).not.toContain("codec");
});

test("a test's change is for its room alone", () => {
  expect(affected("runtime-cpp/penstock/call/steal.test.cpp")).toEqual(["call"]);
  expect(affected("runtime-cpp/testing/samples/samples.test.cpp")).toEqual(["samples"]);
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
});
