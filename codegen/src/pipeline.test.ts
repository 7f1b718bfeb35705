import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow, putTopology, temporaryFolder } from "../test/support/project.js";
import { drawing, project, service } from "../test/support/services.js";
import { printTopology } from "./model/topology/index.js";
import { changeDrawing, describeSources, generateProject, loadProject } from "./pipeline.js";

const codes = (result: { problems: { code: string }[] }): string[] => result.problems.map((p) => p.code);

describe("a drawing that is changed", () => {
  const drawn = (folder: { path: string }) => {
    const topology = putTopology(folder.path, drawing([service("Echo")]));
    const file = join(folder.path, "topology.json");
    return { topology: { ...topology, doc: "changed" }, file, text: readFileSync(file, "utf8") };
  };

  test("stays as somebody writes it meanwhile", async () => {
    using folder = temporaryFolder();
    const { file, text, topology } = drawn(folder);
    const isChanged = await changeDrawing(folder.path, text, topology, (step) => {
      if (step.startsWith("sync")) writeFileSync(file, "theirs");
    });
    expect(isChanged).toBe(false);
    expect([...filesBelow(folder.path)]).toEqual([["topology.json", "theirs"]]);
  });

  test("keeps its mode", async () => {
    using folder = temporaryFolder();
    const { file, text, topology } = drawn(folder);
    for (const [mode, from] of [
      [0o600, text],
      [0o664, printTopology(topology)],
    ] as const) {
      chmodSync(file, mode);
      expect(await changeDrawing(folder.path, from, topology)).toBe(true);
      expect(statSync(file).mode & 0o777).toBe(mode);
    }
  });

  test("is none where it is not UTF-8, and stays", async () => {
    using folder = temporaryFolder();
    const { file, topology } = drawn(folder);
    const bytes = Buffer.from(printTopology({ ...topology, doc: "caf\xe9" }), "latin1");
    writeFileSync(file, bytes);
    expect(await loadProject(folder.path)).toMatchObject({ problems: [{ code: "PS102" }] });
    expect(codes(await generateProject(folder.path))).toEqual(["PS102"]);
    expect(await changeDrawing(folder.path, bytes.toString(), topology)).toBe(false);
    expect(readFileSync(file)).toEqual(bytes);
  });
});

describe("a second run", () => {
  test("writes nothing and keeps every time", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    const times = (): number[] =>
      [...filesBelow(folder.path).keys()].map((path) => statSync(join(folder.path, path)).mtimeMs);
    const before = times();
    const again = await generateProject(folder.path);
    expect([again.ok, again.written, again.removed]).toEqual([true, [], []]);
    expect(times()).toEqual(before);
    expect(existsSync(join(folder.path, "topology.json"))).toBe(true);
  });

  test("keeps the times of files that stay as they are, so that nothing else compiles", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    const header = join(folder.path, "generated/services/echo.hpp");
    const before = statSync(header);
    await project(folder.path, [service("Echo"), service("Other")]);
    expect([statSync(header).ino, statSync(header).mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  test("writes what is said of a service anew, though the drawing's hash stays", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo", { doc: "Says it again." })]);
    const before = await generateProject(folder.path);
    const after = await project(folder.path, [service("Echo", { doc: "Says it once more." })]);
    expect(after.topologyHash).toBe(before.topologyHash);
    const header = readFileSync(join(folder.path, "generated/services/echo.hpp"), "utf8");
    expect(header).toContain("Says it once more.");
  });

  test("says what it would do and does nothing when dry", async () => {
    using folder = temporaryFolder();
    putTopology(folder.path, drawing([service("Echo")]));
    const dry = await generateProject(folder.path, { dryRun: true });
    expect(dry.written).toContain("generated/services/echo.hpp");
    expect([...filesBelow(folder.path).keys()]).toEqual(["topology.json"]);
  });
});

describe("the user's files", () => {
  test("survive every regeneration", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    for (const path of ["src/services/echo.cpp", "CMakeLists.txt", "tests/echo_test.cpp", "README.md"])
      appendFileSync(join(folder.path, path), "// mine\n");
    const mine = readFileSync(join(folder.path, "src/services/echo.cpp"), "utf8");
    await project(folder.path, [service("Echo", { kind: "async-remote" }), service("New")]);
    expect(readFileSync(join(folder.path, "src/services/echo.cpp"), "utf8")).toBe(mine);
    expect(readFileSync(join(folder.path, "CMakeLists.txt"), "utf8")).toMatch(/mine/);
  });

  test("follow the drawing as long as nobody has edited them", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    await project(folder.path, [service("Echo", { kind: "async-remote" })]);
    expect(readFileSync(join(folder.path, "src/services/echo.cpp"), "utf8")).toContain(
      "penstock::Task<Word>",
    );
  });

  test("stay deleted, except handlers, which the build needs", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    rmSync(join(folder.path, "tests/echo_test.cpp"));
    rmSync(join(folder.path, "src/services/echo.cpp"));
    expect((await generateProject(folder.path)).written).toEqual(["src/services/echo.cpp"]);
  });

  test("that take their request as it is to be changed are declared so", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Ask"), service("Price")]);
    const source = join(folder.path, "src/services/ask.cpp");
    const declared = (name: string): string | undefined =>
      /\n +(.* handle\([^)]*\));/.exec(
        readFileSync(join(folder.path, `generated/services/${name}.hpp`), "utf8"),
      )?.[1];
    writeFileSync(source, readFileSync(source, "utf8").replace("const Word&", "Word&"));
    expect(await generateProject(folder.path)).toMatchObject({
      ok: true,
      written: ["generated/services/ask.hpp"],
    });
    expect(declared("ask")).toMatch(/ handle\(::demo::Word& request\)$/);
    expect(declared("price")).toMatch(/ handle\(const ::demo::Word& request\)$/);
    // Under its new name from the first generation on.
    putTopology(folder.path, drawing([service("Answer"), service("Price")]));
    const renames = [{ kind: "service", from: "Ask", to: "Answer" }] as const;
    expect(await generateProject(folder.path, { renames })).toMatchObject({ ok: true });
    expect(declared("answer")).toMatch(/ handle\(::demo::Word& request\)$/);
  });

  test("of a deleted service wait in _detached and come back with it", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo"), service("Other")]);
    appendFileSync(join(folder.path, "src/services/echo.cpp"), "// mine\n");
    writeFileSync(join(folder.path, "src/services/echo.state.hpp"), "// my state\n");
    await project(folder.path, [service("Other")]);
    expect(existsSync(join(folder.path, "src/services/echo.cpp"))).toBe(false);
    expect(readFileSync(join(folder.path, "src/_detached/services/echo.cpp"), "utf8")).toMatch(/mine/);
    expect(existsSync(join(folder.path, "tests/echo_test.cpp"))).toBe(false);
    await project(folder.path, [service("Echo"), service("Other")]);
    expect(readFileSync(join(folder.path, "src/services/echo.cpp"), "utf8")).toMatch(/mine/);
    expect(readFileSync(join(folder.path, "src/services/echo.state.hpp"), "utf8")).toBe("// my state\n");
  });

  test("of a deleted service come back as they were last", async () => {
    using folder = temporaryFolder();
    const handler = join(folder.path, "src/services/echo.cpp");
    const waiting = join(folder.path, "src/_detached/services/echo.cpp");
    await project(folder.path, [service("Echo"), service("Other")]);
    appendFileSync(handler, "// second\n");
    mkdirSync(dirname(waiting), { recursive: true });
    writeFileSync(waiting, "// first\n");
    await project(folder.path, [service("Other")]);
    expect(readFileSync(`${waiting}.2`, "utf8")).toMatch(/second/);
    await project(folder.path, [service("Echo"), service("Other")]);
    expect(readFileSync(handler, "utf8")).toMatch(/second/);
    expect(readFileSync(waiting, "utf8")).toBe("// first\n");
  });

  test("for Kubernetes go with their binary, unless somebody has edited them", async () => {
    using folder = temporaryFolder();
    const draw = (...binaries: string[]) => {
      const bundles = ["All"];
      putTopology(folder.path, {
        ...(drawing([service("Echo")]) as object),
        binaries: binaries.map((name) => ({ name, bundles })),
      });
      return generateProject(folder.path);
    };
    const kept = (): string[] => [...filesBelow(folder.path, "k8s").keys()];
    await draw("one", "two", "three");
    appendFileSync(join(folder.path, "k8s/two.yaml"), "# mine\n");
    // One is renamed, two and three are taken out.
    expect((await draw("first")).removed).toContain("k8s/one.yaml");
    expect(kept()).toEqual(["k8s/first.yaml", "k8s/two.yaml"]);
    expect((await generateProject(folder.path)).removed).toEqual([]);
    await draw("first", "two");
    expect(readFileSync(join(folder.path, "k8s/two.yaml"), "utf8")).toContain("# mine");
  });

  test("are described with their node and whether anyone has written in them", async () => {
    using folder = temporaryFolder();
    const topology = putTopology(
      folder.path,
      drawing([service("Echo"), service("Twice", { implementations: ["A", "B"] })]),
    );
    await generateProject(folder.path);
    appendFileSync(join(folder.path, "src/services/twice/b.cpp"), "// mine\n");
    const described = await describeSources(folder.path, topology);
    const of = (path: string) => described.find((source) => source.path === path);
    expect(of("src/services/echo.cpp")).toMatchObject({
      node: "service:Echo",
      owner: "user",
      written: false,
    });
    expect(of("src/services/twice/b.cpp")).toMatchObject({ implementation: "B", written: true });
    expect(of("generated/services/echo.hpp")).toMatchObject({ owner: "generated", node: "service:Echo" });
  });
});

describe("generated files", () => {
  test("that someone edited stop the run until it is forced", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    const header = join(folder.path, "generated/messages.hpp");
    appendFileSync(header, "// mine\n");
    const stopped = await project(folder.path, [service("Echo"), service("Other")]);
    expect([stopped.ok, codes(stopped), stopped.written]).toEqual([false, ["PS701"], []]);
    expect(existsSync(join(folder.path, "generated/services/other.hpp"))).toBe(false);
    const forced = await generateProject(folder.path, { force: true });
    expect(forced.ok).toBe(true);
    expect(readFileSync(header, "utf8")).not.toMatch(/mine/);
  });

  test("that someone edited or deleted are restored although the drawing is the same", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    const before = filesBelow(folder.path);
    rmSync(join(folder.path, "generated/messages.cpp"));
    expect((await generateProject(folder.path)).written).toEqual(["generated/messages.cpp"]);
    appendFileSync(join(folder.path, "generated/messages.hpp"), "// mine\n");
    expect(codes(await generateProject(folder.path))).toEqual(["PS701"]);
    expect((await generateProject(folder.path, { force: true })).written).toEqual(["generated/messages.hpp"]);
    expect(filesBelow(folder.path)).toEqual(before);
  });

  test("no longer drawn are removed by the manifest only", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo"), service("Other")]);
    writeFileSync(join(folder.path, "generated/services/notes.txt"), "a stranger");
    const result = await project(folder.path, [service("Other")]);
    expect(result.removed).toContain("generated/services/echo.hpp");
    expect(readFileSync(join(folder.path, "generated/services/notes.txt"), "utf8")).toBe("a stranger");
  });

  test("are the same bytes whoever makes them", async () => {
    using one = temporaryFolder();
    using other = temporaryFolder();
    await project(one.path, [service("Echo")]);
    await project(other.path, [service("Echo")]);
    expect(filesBelow(one.path)).toEqual(filesBelow(other.path));
  });
});

describe("what is in the way", () => {
  test.each(["src", "generated", "tests"])("a link at %s leads nowhere", async (name) => {
    using folder = temporaryFolder();
    using outside = temporaryFolder();
    putTopology(folder.path, drawing([service("Echo")]));
    symlinkSync(outside.path, join(folder.path, name));
    expect(codes(await generateProject(folder.path))).toEqual(["PS703"]);
    expect([...filesBelow(outside.path).keys()]).toEqual([]);
    expect([...filesBelow(folder.path).keys()].filter((path) => path.startsWith("generated."))).toEqual([]);
  });

  test("a link at topology.json, or at a handler, is not followed", async () => {
    using folder = temporaryFolder();
    using outside = temporaryFolder();
    putTopology(outside.path, drawing([service("Echo")]));
    symlinkSync(join(outside.path, "topology.json"), join(folder.path, "topology.json"));
    expect(codes(await loadProject(folder.path))).toEqual(["PS703"]);
    rmSync(join(folder.path, "topology.json"));
    renameSync(join(outside.path, "topology.json"), join(folder.path, "topology.json"));
    mkdirSync(join(folder.path, "src/services"), { recursive: true });
    symlinkSync(join(outside.path, "secret"), join(folder.path, "src/services/echo.cpp"));
    expect(codes(await generateProject(folder.path))).toEqual(["PS703"]);
    expect(existsSync(join(outside.path, "secret"))).toBe(false);
  });

  test("a folder without a topology is named", async () => {
    using folder = temporaryFolder();
    expect(codes(await generateProject(folder.path))).toEqual(["PS700"]);
    expect(codes(await generateProject(join(folder.path, "nowhere")))).toEqual(["PS700"]);
  });

  test("an error in the drawing leaves everything as it was", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    const before = filesBelow(folder.path);
    putTopology(folder.path, drawing([service("Echo", { calls: ["Nobody"] })]));
    expect((await generateProject(folder.path)).ok).toBe(false);
    before.delete("topology.json");
    const after = filesBelow(folder.path);
    after.delete("topology.json");
    expect(after).toEqual(before);
  });

  test.each([
    ["ENOSPC", "PS704"],
    ["EROFS", "PS705"],
  ])("%s in the middle is said, and nothing has changed", async (code, expected) => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    const before = filesBelow(folder.path);
    putTopology(folder.path, drawing([service("Echo"), service("Other")]));
    let step = 0;
    const result = await generateProject(folder.path, {
      onStep: () => {
        if (++step === 8) throw Object.assign(new Error(code), { code });
      },
    });
    expect(codes(result)).toEqual([expected]);
    const after = filesBelow(folder.path);
    after.set("topology.json", before.get("topology.json")!);
    expect(after).toEqual(before);
  });

  test("what another process generated since it was compared is compared anew", async () => {
    using folder = temporaryFolder();
    const [here, there] = [join(folder.path, "here"), join(folder.path, "there")];
    const other = [service("Echo", { response: undefined }), service("Third")];
    for (const dir of [here, there]) {
      mkdirSync(dir);
      await project(dir, [service("Echo")]);
    }
    await project(there, other);
    putTopology(here, drawing([service("Echo"), service("Other")]));
    let begun = false;
    const result = await generateProject(here, {
      onStep: () => {
        if (begun) return;
        begun = true;
        rmSync(join(here, "generated"), { recursive: true });
        cpSync(join(there, "generated"), join(here, "generated"), { recursive: true });
      },
    });
    expect(begun).toBe(true);
    expect(result).toMatchObject({ ok: true, problems: [] });
    expect(result.written).toContain("generated/services/echo.hpp");
    expect(await generateProject(here)).toMatchObject({ ok: true, written: [], removed: [] });
  });
});
