import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateProject } from "../src/pipeline.js";
import { RUNTIME_PREFIX } from "./support/build.js";
import { manyServices } from "./support/manyServices.js";
import { putTopology, temporaryFolder } from "./support/project.js";

test("200 services in 20 bundles are generated whole; that they run is a soak", async () => {
  using folder = temporaryFolder();
  putTopology(folder.path, manyServices(200, 20));
  const result = await generateProject(folder.path);
  expect(result).toMatchObject({ ok: true, problems: [] });
  const handlers = result.written.filter((path) => /^src\/services\/service_?\d+\.cpp$/.test(path));
  expect(handlers).toHaveLength(200);
});

test("a binary of many services registers them, and their calls, in files of their own, which compile", async () => {
  using folder = temporaryFolder();
  putTopology(folder.path, manyServices(60, 6));
  const { ok, written } = await generateProject(folder.path);
  expect(ok).toBe(true);
  const parts = written.filter((path) => /^generated\/binaries\/many_server\/services_\d+\.cpp$/.test(path));
  expect(parts).toHaveLength(2);
  const text = (path: string) => readFileSync(join(folder.path, path), "utf8");
  const found = (pattern: RegExp) =>
    parts.flatMap((part) => [...text(part).matchAll(pattern)].map(([, name]) => name));
  const all = Array.from({ length: 60 }, (_, at) => `Service${at}`);
  expect(found(/app\.service<::many::(\w+)>/g)).toEqual(all);
  expect(found(/app\.call\("(\w+)"/g)).toEqual(all.filter((_, at) => at % 10 !== 9));
  // What its flows begin with is all that main() knows by its header.
  const main = text("generated/binaries/many_server.cpp");
  expect(
    [...main.matchAll(/#include "\.\.\/services\/service(\d+)\.hpp"/g)].map(([, at]) => Number(at)),
  ).toEqual([0, 10, 20, 30, 40, 50]);
  const registers = [...main.matchAll(/::many::(register_\w+)\(app\);/g)].map(([, name]) => name);
  expect(registers).toEqual(
    ["services_1", "services_2", "calls_1", "calls_2"].map((name) => `register_${name}_of_many_server`),
  );

  // As cmake gives them: the runtime's headers are the system's.
  const includes = [
    `-isystem${join(RUNTIME_PREFIX, "include")}`,
    ...["generated", "src"].map((at) => `-I${join(folder.path, at)}`),
  ];
  const files = ["generated/binaries/many_server.cpp", ...parts].map((path) => join(folder.path, path));
  const flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wmissing-declarations", "-fsyntax-only"];
  const { status, stderr } = spawnSync("g++", [...flags, ...includes, ...files], { encoding: "utf8" });
  expect({ status, stderr: stderr.slice(0, 3000) }).toEqual({ status: 0, stderr: "" });
});
