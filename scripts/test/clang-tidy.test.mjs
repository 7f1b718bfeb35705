import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { cacheFolder } from "../setup/cache-folder.mjs";
import { configHash, keptName, unitsByFolder } from "./clang-tidy.mjs";

test("files of a folder are looked at as one where they are compiled in the same way", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-tidy-"));
  try {
    const entry = (name, text, flags = "-O2") => {
      const file = path.join(folder, "src", name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      return { file, directory: "/build", command: `c++ ${flags} -o ${name}.o -c ${file}` };
    };
    const units = unitsByFolder(path.join(folder, "units"), [
      entry("call/b.cpp", "int b;\nint bb;\n"),
      entry("call/a.cpp", "int a;\nint aa;"),
      entry("flow/a.cpp", "int f;\n"),
      entry("flow/with.cpp", "int w;\n", "-O2 -DWITH"),
    ]);
    const names = units.map(({ files }) =>
      files.map((file) => path.relative(path.join(folder, "src"), file)),
    );
    expect(names).toEqual([["call/a.cpp", "call/b.cpp"], ["flow/a.cpp"], ["flow/with.cpp"]]);
    const [call, , flagged] = units;
    expect(readFileSync(call.source, "utf8")).toBe("int a;\nint aa;\nint b;\nint bb;\n");
    expect(call.said(`${call.source}:2:5: error: a`)).toBe(`${call.files[0]}:2:5: error: a`);
    expect(call.said(`${call.source}:4:5: error: b`)).toBe(`${call.files[1]}:2:5: error: b`);
    expect(call.said("elsewhere.hpp:4:5: note: c")).toBe("elsewhere.hpp:4:5: note: c");
    const commands = JSON.parse(readFileSync(path.join(folder, "units", "compile_commands.json"), "utf8"));
    expect(commands.map(({ file }) => file)).toEqual(units.map(({ source }) => source));
    expect(commands.at(-1)).toEqual({
      directory: "/build",
      file: flagged.source,
      command: `c++ -O2 -DWITH -c ${flagged.source} -iquote ${path.join(folder, "src", "flow")}`,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("headers of the runtime's tests say nothing of a generated project", () => {
  const root = mkdtempSync(path.join(tmpdir(), "penstock-tidy-"));
  const put = (file, text) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  try {
    put("runtime-cpp/penstock/app.hpp", "one");
    put("runtime-cpp/testing/world.hpp", "one");
    const hashes = () => ["runtime-cpp", "runtime-cpp/penstock"].map((headers) => configHash(root, headers));
    const [all, seen] = hashes();
    put("runtime-cpp/testing/world.hpp", "two");
    expect(hashes()).toEqual([expect.not.stringMatching(all), seen]);
    put("runtime-cpp/penstock/app.hpp", "two");
    expect(hashes()[1]).not.toBe(seen);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("a clean result is found again in another clone, and not with another text, flag or tool", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-tidy-"));
  try {
    const nameIn = (clone, { text = "int a;\n", flags = "-O2", salt = "16" } = {}) => {
      const file = path.join(folder, clone, "a.cpp");
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      const command = `c++ ${flags} -I${path.dirname(file)} -c ${file}`;
      return keptName(salt, { files: [file], command }, { CLONE: path.join(folder, clone) });
    };
    const name = nameIn("one");
    expect(nameIn("other")).toBe(name);
    expect(nameIn("one", { text: "int b;\n" })).not.toBe(name);
    expect(nameIn("one", { flags: "-O1" })).not.toBe(name);
    expect(nameIn("one", { salt: "17" })).not.toBe(name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("clean results are kept beside those of other clones, or where a kept folder is named", () => {
  expect(cacheFolder("tidy", { XDG_CACHE_HOME: "/cache" })).toBe("/cache/penstock/tidy");
  expect(cacheFolder("tidy", { XDG_CACHE_HOME: "/cache", PENSTOCK_CACHE: "/kept" })).toBe("/kept/tidy");
});
