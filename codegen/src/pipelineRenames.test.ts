import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { drawing, project, service } from "../test/support/services.js";
import { filesBelow, putTopology, temporaryFolder } from "../test/support/project.js";
import { formerSources, generateDrawn, generateProject, type GenerateOptions } from "./pipeline.js";
import { topologyHash } from "./model/topology/index.js";
import type { DrawingPlace } from "./workspace/drawing/saveDrawing.js";
import {
  addPendingRenames,
  dropPendingRenames,
  readPendingRenames,
} from "./workspace/kept/pendingRenames.js";
import { placeOf } from "./workspace/index.js";

describe("the user's files after a rename", () => {
  test("follow a rename, with the words in them", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo", { implementations: ["Loud", "Soft"] })]);
    const handler = join(folder.path, "src/services/echo/loud.cpp");
    appendFileSync(handler, '// Echo::Loud is mine; EchoLike is not renamed\nconst char* kTable = "Echo";\n');
    writeFileSync(join(folder.path, "src/services/echo.state.hpp"), "// state of Echo\n");
    const result = await project(folder.path, [service("Parrot", { implementations: ["Shrill", "Soft"] })], {
      renames: [
        { kind: "service", from: "Echo", to: "Reply" },
        { kind: "implementation", from: "Reply/Loud", to: "Reply/Shrill" },
        { kind: "service", from: "Reply", to: "Parrot" },
      ],
    });
    expect(result.removed).toContain("src/services/echo/loud.cpp");
    const text = readFileSync(join(folder.path, "src/services/parrot/shrill.cpp"), "utf8");
    expect(text).toContain("Word Parrot::Shrill::handle(");
    expect(text).toContain('#include "services/parrot.hpp"');
    expect(text).toContain(
      '// Parrot::Shrill is mine; EchoLike is not renamed\nconst char* kTable = "Echo";',
    );
    expect(readFileSync(join(folder.path, "src/services/parrot.state.hpp"), "utf8")).toBe(
      "// state of Parrot\n",
    );
    expect(existsSync(join(folder.path, "src/services/echo"))).toBe(false);
    expect([...filesBelow(folder.path).keys()].filter((path) => path.includes("_detached"))).toEqual([]);
  });

  test("leave what another thing calls so", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo", { implementations: ["Loud"] })]);
    const at = (path: string): string => join(folder.path, "src/services", path);
    const code = [
      "a = item.Echo + it->Loud + Level::Loud + other::Echo::Loud + list<int>::Loud;",
      "b = penstock::Echo{demo::Echo::Loud::kMost, ::demo::Echo::kLeast, Loud{}};",
      "Echo::Loud::Loud() : most_(Loud::kMost) {}",
      "",
    ];
    appendFileSync(at("echo/loud.cpp"), code.join("\n"));
    writeFileSync(at("echo.state.hpp"), "// Echo::Loud of Echo, demo::Echo::Loud\n");
    await project(folder.path, [service("Parrot", { implementations: ["Shrill"] })], {
      renames: [
        { kind: "service", from: "Echo", to: "Parrot" },
        { kind: "implementation", from: "Parrot/Loud", to: "Parrot/Shrill" },
      ],
    });
    expect(readFileSync(at("parrot/shrill.cpp"), "utf8").split("\n").slice(-4)).toEqual([
      code[0],
      "b = penstock::Echo{demo::Parrot::Shrill::kMost, ::demo::Parrot::kLeast, Shrill{}};",
      "Parrot::Shrill::Shrill() : most_(Shrill::kMost) {}",
      "",
    ]);
    expect(readFileSync(at("parrot.state.hpp"), "utf8")).toBe(
      "// Parrot::Shrill of Parrot, demo::Parrot::Shrill\n",
    );
  });

  describe("and a deletion", () => {
    const text = (root: string, path: string): string => readFileSync(join(root, path), "utf8");
    const renames = [{ kind: "service", from: "Echo", to: "Parrot" }] as const;

    test("of another of the new name, whose own stay in _detached", async () => {
      using folder = temporaryFolder();
      const state = "src/_detached/services/parrot.state.hpp";
      await project(folder.path, [service("Parrot"), service("Echo")]);
      writeFileSync(join(folder.path, "src/services/parrot.state.hpp"), "// of the old one\n");
      appendFileSync(join(folder.path, "bench/parrot_bench.cpp"), "// of the old one\n");
      rmSync(join(folder.path, "bench/echo_bench.cpp"));
      await project(folder.path, [service("Echo")]);
      await project(folder.path, [service("Parrot")], { renames });
      expect(text(folder.path, state)).toBe("// of the old one\n");
      expect(existsSync(join(folder.path, "src/services/parrot.state.hpp"))).toBe(false);
      expect(existsSync(join(folder.path, "bench/parrot_bench.cpp"))).toBe(false);
    });

    test("that was undone before: the code comes back under the new name", async () => {
      using folder = temporaryFolder();
      await project(folder.path, [service("Echo"), service("Other")]);
      appendFileSync(join(folder.path, "src/services/echo.cpp"), "// Echo is mine\n");
      await project(folder.path, [service("Other")]);
      await project(folder.path, [service("Parrot"), service("Other")], { renames });
      expect(text(folder.path, "src/services/parrot.cpp")).toMatch(
        /Parrot::handle[^]*\/\/ Parrot is mine\n$/,
      );
    });
  });

  describe("saved while it is generated", () => {
    const renames = [{ kind: "service", from: "Echo", to: "Parrot" }] as const;

    async function saving(moment: RegExp) {
      const folder = temporaryFolder();
      await project(folder.path, [service("Echo")]);
      putTopology(folder.path, drawing([service("Parrot")]));
      const handler = join(folder.path, "src/services/echo.cpp");
      let isSaved = false;
      const onStep = (step: string): void => {
        if (isSaved || !moment.test(step)) return;
        isSaved = true;
        appendFileSync(handler, "// just saved\n");
      };
      return { folder, handler, ...(await generateProject(folder.path, { renames, onStep })) };
    }

    test("have under the new name what was saved", async () => {
      const { folder, handler, ...result } = await saving(/^sync/);
      using _ = folder;
      expect([result.ok, result.problems]).toEqual([true, []]);
      expect(result.removed).toContain("src/services/echo.cpp");
      expect(existsSync(handler)).toBe(false);
      const text = readFileSync(join(folder.path, "src/services/parrot.cpp"), "utf8");
      expect(text).toMatch(/Parrot::handle[^]*\/\/ just saved\n$/);
    });

    test("in the last moment stay, which is said", async () => {
      const { folder, handler, ...result } = await saving(/^link src\/services\/parrot\.cpp$/);
      using _ = folder;
      expect(result.problems).toMatchObject([
        { code: "PS716", severity: "warning", file: "src/services/echo.cpp" },
      ]);
      expect(result.removed).not.toContain("src/services/echo.cpp");
      expect(readFileSync(handler, "utf8")).toMatch(/\/\/ just saved\n$/);
    });
  });

  test("keep their modes", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo"), service("Other", { calls: ["Echo"] })]);
    const at = (name: string): string => join(folder.path, name);
    appendFileSync(at("src/services/echo.cpp"), "// mine\n");
    chmodSync(at("src/services/echo.cpp"), 0o664);
    chmodSync(at("tests/other_test.cpp"), 0o600);
    const renames = [{ kind: "service", from: "Echo", to: "Parrot" }] as const;
    const { written } = await project(
      folder.path,
      [service("Parrot"), service("Other", { calls: ["Parrot"] })],
      { renames },
    );
    const files = ["src/services/parrot.cpp", "tests/other_test.cpp"];
    expect(written).toEqual(expect.arrayContaining(files));
    expect(files.map((name) => statSync(at(name)).mode & 0o777)).toEqual([0o664, 0o600]);
  });

  test("belong to the renamed node before the generation that moves them", async () => {
    using folder = temporaryFolder();
    const root = join(folder.path, "shop");
    mkdirSync(root);
    await project(root, [service("Echo"), service("Other")]);
    const topology = putTopology(root, drawing([service("Parrot"), service("Other")]));
    appendFileSync(join(root, "src/services/echo.cpp"), "// mine\n");
    await addPendingRenames(
      placeOf(realpathSync(root)),
      [{ kind: "service", from: "Echo", to: "Parrot" }],
      undefined,
    );
    const found = await formerSources(root, topology);
    const of = (path: string) => found.find((source) => source.path === path);
    expect(of("src/services/echo.cpp")).toMatchObject({ node: "service:Parrot", written: true });
    expect(of("src/services/other.cpp")).toMatchObject({ node: "service:Other", written: false });
  });

  describe("noted for a save", () => {
    const rename = { kind: "service", from: "Echo", to: "Other" } as const;
    const draw = (root: string, ...names: string[]) =>
      putTopology(root, drawing(names.map((name) => service(name))));
    const code = (root: string, name: string): string =>
      readFileSync(join(root, `src/services/${name}.cpp`), "utf8");

    async function noted(path: string): Promise<{ root: string; place: DrawingPlace }> {
      const root = join(path, "shop");
      mkdirSync(root);
      await project(root, [service("Echo"), service("Other")]);
      appendFileSync(join(root, "src/services/echo.cpp"), "// mine\n");
      appendFileSync(join(root, "src/services/other.cpp"), "// the other\n");
      const before = topologyHash(draw(root, "Echo", "Other"));
      const place = placeOf(realpathSync(root));
      await addPendingRenames(place, [rename], before);
      return { root, place };
    }

    test("move nothing before it, and what is drawn when it comes", async () => {
      using folder = temporaryFolder();
      const { root, place } = await noted(folder.path);
      expect(await generateDrawn(root)).toMatchObject({ ok: true, written: [], removed: [] });
      draw(root, "Other");
      expect((await generateDrawn(root)).removed).toContain("src/services/echo.cpp");
      expect(code(root, "other")).toContain("// mine");
      expect(existsSync(join(place.records, "renames.json"))).toBe(false);
    });

    test("that never came are forgotten with the next one, whether it renames or not", async () => {
      for (const next of [[], [{ kind: "service", from: "Other", to: "Another" }]] as const) {
        using folder = temporaryFolder();
        const { root, place } = await noted(folder.path);
        const before = topologyHash(draw(root, "Echo", "Other"));
        await addPendingRenames(place, next, before);
        const after = topologyHash(draw(root, "Echo", "Another"));
        const { renames } = await readPendingRenames(place, after);
        expect(renames).toEqual(next.map((is) => expect.objectContaining(is)));
      }
    });

    test("while another is generated stay, and one that is followed twice goes", async () => {
      using folder = temporaryFolder();
      const { root, place } = await noted(folder.path);
      const after = topologyHash(draw(root, "Other"));
      const [first] = (await readPendingRenames(place, after)).renames;
      const second = { kind: "service", from: "Other", to: "Another" } as const;
      await addPendingRenames(place, [second], after);
      await dropPendingRenames(place, [first!.id]);
      await dropPendingRenames(place, [first!.id]);
      const left = await readPendingRenames(place, topologyHash(draw(root, "Another")));
      expect(left.renames).toEqual([expect.objectContaining(second)]);
    });
  });

  test("noted for two saves since a drawing was read are for neither of it", async () => {
    using folder = temporaryFolder();
    const place = { root: folder.path, records: join(folder.path, "records") };
    const [first, second] = [
      { kind: "service", from: "Front", to: "Back" },
      { kind: "service", from: "Back", to: "Zoo" },
    ] as const;
    await addPendingRenames(place, [first], "sha256:a");
    await addPendingRenames(place, [second], "sha256:b");
    const of = async (hash: string) => (await readPendingRenames(place, hash)).renames;
    expect(await of("sha256:a")).toEqual([]);
    expect(await of("sha256:b")).toMatchObject([first]);
    const [one, two] = await of("sha256:c");
    expect([one, two]).toMatchObject([first, second]);
    expect(await readPendingRenames(place, "sha256:a", one!.id)).toMatchObject({
      followed: [first],
      renames: [second],
    });
  });

  test("are followed once by two that generate at the same time", async () => {
    using folder = temporaryFolder();
    const root = join(folder.path, "shop");
    mkdirSync(root);
    await project(root, [service("Get")]);
    appendFileSync(join(root, "src/services/get.cpp"), "// mine\n");
    await addPendingRenames(placeOf(realpathSync(root)), [{ kind: "service", from: "Get", to: "Other" }], "");
    putTopology(root, drawing([service("Other"), service("Get")]));
    for (const { ok, problems } of await Promise.all([generateDrawn(root), generateDrawn(root)]))
      expect([ok, problems]).toEqual([true, []]);
    expect(readFileSync(join(root, "src/services/other.cpp"), "utf8")).toContain("// mine");
    expect(readFileSync(join(root, "src/services/get.cpp"), "utf8")).not.toContain("// mine");
    expect([...filesBelow(root).keys()].filter((path) => path.includes("_detached"))).toEqual([]);
  });

  describe("when a name is taken over", () => {
    const at = (dir: string, name: string): string => join(dir, `src/services/${name}.cpp`);
    const mark = (dir: string, ...names: string[]): void => {
      for (const name of names) appendFileSync(at(dir, name), `// of ${name}\n`);
    };
    const markOf = (dir: string, name: string): string | undefined =>
      /\/\/ of ([\w/]+)/.exec(readFileSync(at(dir, name), "utf8"))?.[1];
    const renamed = (...pairs: [from: string, to: string][]): GenerateOptions => ({
      renames: pairs.map(([from, to]) => ({ kind: "service", from, to })),
    });

    test("by one whose own goes elsewhere, each keeps its code", async () => {
      using folder = temporaryFolder();
      await project(folder.path, [service("Get"), service("GetNew")]);
      mark(folder.path, "get", "get_new");
      const result = await project(
        folder.path,
        [service("GetOld"), service("Get")],
        renamed(["Get", "GetOld"], ["GetNew", "Get"]),
      );
      expect(result.ok).toBe(true);
      expect([markOf(folder.path, "get_old"), markOf(folder.path, "get")]).toEqual(["get", "get_new"]);
      expect(result.removed).toContain("src/services/get_new.cpp");
      expect(result.removed).not.toContain("src/services/get.cpp");
      expect([...filesBelow(folder.path).keys()].filter((path) => path.includes("_detached"))).toEqual([]);
      const again = await generateProject(folder.path);
      expect([again.written, again.removed]).toEqual([[], []]);
    });

    test("in a circle, each keeps its code", async () => {
      using folder = temporaryFolder();
      await project(folder.path, [service("Left"), service("Right")]);
      mark(folder.path, "left", "right");
      await project(
        folder.path,
        [service("Right"), service("Left")],
        renamed(["Left", "Third"], ["Right", "Left"], ["Third", "Right"]),
      );
      expect([markOf(folder.path, "left"), markOf(folder.path, "right")]).toEqual(["right", "left"]);
      expect(readFileSync(at(folder.path, "left"), "utf8")).toContain("Left::handle(");
    });

    test("of a deleted one, whose code waits in _detached", async () => {
      using folder = temporaryFolder();
      await project(folder.path, [service("Get"), service("GetNew")]);
      mark(folder.path, "get", "get_new");
      await project(folder.path, [service("Get")], renamed(["GetNew", "Get"]));
      expect(markOf(folder.path, "get")).toBe("get_new");
      expect(readFileSync(join(folder.path, "src/_detached/services/get.cpp"), "utf8")).toContain(
        "// of get",
      );
      expect(existsSync(at(folder.path, "get_new"))).toBe(false);
    });

    test("by a new one, which begins as a new one does", async () => {
      using folder = temporaryFolder();
      await project(folder.path, [service("Get")]);
      const start = readFileSync(at(folder.path, "get"), "utf8");
      mark(folder.path, "get");
      await project(folder.path, [service("Other"), service("Get")], renamed(["Get", "Other"]));
      expect(markOf(folder.path, "other")).toBe("get");
      expect(readFileSync(at(folder.path, "get"), "utf8")).toBe(start);
    });

    test("by a new one that is renamed as well, that one begins as a new one does", async () => {
      using folder = temporaryFolder();
      await project(folder.path, [service("Service")]);
      mark(folder.path, "service");
      await project(
        folder.path,
        [service("Foo"), service("Bar")],
        renamed(["Service", "Foo"], ["Service", "Bar"]),
      );
      expect([markOf(folder.path, "foo"), markOf(folder.path, "bar")]).toEqual(["service", undefined]);
      expect(readFileSync(at(folder.path, "bar"), "utf8")).toContain("Bar::handle(");
      expect(existsSync(at(folder.path, "service"))).toBe(false);
    });

    test("by a new implementation that is renamed as well, that one begins as a new one does", async () => {
      using folder = temporaryFolder();
      await project(folder.path, [service("Echo", { implementations: ["Loud", "Soft"] })]);
      mark(folder.path, "echo/loud", "echo/soft");
      const renames = ["Shrill", "Deep"].map((to) => ({
        kind: "implementation" as const,
        from: "Echo/Loud",
        to: `Echo/${to}`,
      }));
      const implementations = ["Shrill", "Soft", "Deep"];
      await project(folder.path, [service("Echo", { implementations })], { renames });
      const marks = implementations.map((name) => markOf(folder.path, `echo/${name.toLowerCase()}`));
      expect(marks).toEqual(["echo/loud", "echo/soft", undefined]);
    });
  });

  test("follow the project into another namespace, and no name of the runtime's", async () => {
    using folder = temporaryFolder();
    const at = (path: string): string => join(folder.path, path);
    const named = (name: string) =>
      putTopology(folder.path, { ...(drawing([service("Buffer")]) as object), name });
    named("shop");
    expect(await generateProject(folder.path)).toMatchObject({ ok: true });
    const handler = at("src/services/buffer.cpp");
    appendFileSync(
      handler,
      "// mine\nusing Other = ::shop::Word;\npenstock::Buffer kept;\nint shopping;\n// nlohmann::shop::parse, penstock::net::Buffer\n",
    );
    appendFileSync(at("bench/buffer_bench.cpp"), "// mine\n");
    putTopology(folder.path, { ...(drawing([service("Store")]) as object), name: "store2" });
    const renames = [
      { kind: "project", from: "shop", to: "store" },
      { kind: "service", from: "Buffer", to: "Store" },
      { kind: "project", from: "store", to: "store2" },
    ] as const;
    expect(await generateProject(folder.path, { renames })).toMatchObject({ ok: true });
    const text = readFileSync(at("src/services/store.cpp"), "utf8");
    expect(text).toContain("namespace store2 {");
    expect(text).toContain("Word Store::handle(");
    expect(text).toContain(
      "// mine\nusing Other = ::store2::Word;\npenstock::Buffer kept;\nint shopping;\n// nlohmann::shop::parse, penstock::net::Buffer\n",
    );
    expect(text.replace("nlohmann::shop::", "")).not.toMatch(/\bshop\b/);
    expect(readFileSync(at("tests/store_test.cpp"), "utf8")).not.toMatch(/\b(?:shop|Buffer)\b/);
    const bench = readFileSync(at("bench/store_bench.cpp"), "utf8");
    expect(bench).toContain('->Name("Store")');
    expect(bench).toContain("// mine");
    expect(bench).not.toMatch(/\b(?:shop|Buffer)\b/);
  });

  test("that the user deleted do not come back under the new name", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    rmSync(join(folder.path, "tests/echo_test.cpp"));
    await project(folder.path, [service("Parrot")], {
      renames: [{ kind: "service", from: "Echo", to: "Parrot" }],
    });
    expect(existsSync(join(folder.path, "tests/parrot_test.cpp"))).toBe(false);
    expect(existsSync(join(folder.path, "bench/parrot_bench.cpp"))).toBe(true);
  });

  test("say how a handler takes its request, and not how one does that has its name by now", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Echo")]);
    const handler = join(folder.path, "src/services/echo.cpp");
    writeFileSync(handler, readFileSync(handler, "utf8").replace("(const Word& ", "(Word& "));
    await project(folder.path, [service("Parrot"), service("Echo")], {
      renames: [{ kind: "service", from: "Echo", to: "Parrot" }],
    });
    const header = (name: string): string =>
      readFileSync(join(folder.path, `generated/services/${name}.hpp`), "utf8");
    expect(header("parrot")).toMatch(/handle\(::demo::Word& /);
    expect(header("echo")).toMatch(/handle\(const ::demo::Word& /);
  });

  test("follow the only handler of a service into its first implementation and back", async () => {
    using folder = temporaryFolder();
    const read = (path: string) => readFileSync(join(folder.path, path), "utf8");
    await project(folder.path, [service("Echo")]);
    const handler = read("src/services/echo.cpp").replace("Word Echo::", "// mine\nWord Echo::");
    const state = "template <>\nstruct penstock::State<demo::Echo> {\n  int count = 0;\n};\n";
    const tests = `${read("tests/echo_test.cpp")}// mine\n`;
    writeFileSync(join(folder.path, "src/services/echo.cpp"), handler);
    writeFileSync(join(folder.path, "src/services/echo.state.hpp"), state);
    writeFileSync(join(folder.path, "tests/echo_test.cpp"), tests);

    const two = [service("Echo", { implementations: ["Loud", "Soft"] })];
    const renames = [{ kind: "implementation", from: "Echo/", to: "Echo/Loud" }] as const;
    await project(folder.path, two, { renames });
    expect(read("src/services/echo/loud.cpp")).toContain("// mine\nWord Echo::Loud::handle(");
    expect(read("src/services/echo/soft.cpp")).toContain("Word Echo::Soft::handle(");
    expect(read("src/services/echo.state.hpp")).toContain("State<demo::Echo::Loud> {");
    expect(read("tests/echo_test.cpp")).toContain("TEST(Echo, Answers)");
    expect(read("tests/echo_test.cpp")).toContain("ServiceTest<demo::Echo::Loud>");

    const again = await project(folder.path, two, { renames });
    expect(again.written).toEqual([]);

    await project(folder.path, [service("Echo")], {
      renames: [{ kind: "implementation", from: "Echo/Loud", to: "Echo/" }],
    });
    expect(read("src/services/echo.cpp")).toBe(handler);
    expect(read("src/services/echo.state.hpp")).toBe(state);
    expect(read("tests/echo_test.cpp")).toBe(tests);
  });
});
