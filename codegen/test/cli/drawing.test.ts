import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { missingTools } from "../../src/build/index.js";
import { addPendingRenames } from "../../src/workspace/kept/pendingRenames.js";
import { placeOf } from "../../src/workspace/index.js";
import { documentOf, Penstock } from "./penstock.js";

const penstock = new Penstock();
afterAll(() => penstock.cleanUp());

const sound = {
  penstock: 1,
  name: "demo",
  messages: [{ name: "Number", fields: [{ name: "value", type: "int32", tag: 1 }] }],
  services: [{ name: "Twice", request: "Number", response: "Number" }],
  bundles: [{ name: "All", services: ["Twice"] }],
  binaries: [{ name: "demo-server", bundles: ["All"] }],
};
const broken = {
  ...sound,
  services: [{ name: "Twice", request: "Nmuber", response: "Number", calls: ["Thrice"] }],
};

describe("penstock nodes", () => {
  test("lists the palette, with ports and settings as JSON", async () => {
    const ended = await penstock.run(["nodes", "--json"]);
    expect(ended.code).toBe(0);
    expect(documentOf(ended)).toMatchObject({
      nodes: expect.arrayContaining([
        expect.objectContaining({ type: "filter", own: false, roles: ["side-effect"] }),
      ]),
    });
  });
});

describe("penstock generate", () => {
  const drawn = (...names: string[]): string =>
    JSON.stringify({
      ...sound,
      services: names.map((name) => ({ name, request: "Number", response: "Number" })),
      bundles: [{ name: "All", services: names }],
    });

  test("follows what was renamed in the designer, once, also after a run that died before it could say so", async () => {
    const dir = penstock.project("renamed", drawn("Echo"));
    const topology = path.join(dir, "topology.json");
    const code = (name: string): string => path.join(dir, `src/services/${name}.cpp`);
    expect((await penstock.run(["generate", dir])).code).toBe(0);
    appendFileSync(code("echo"), "// mine\n");
    const place = placeOf(realpathSync(dir));
    const renames = path.join(place.records, "renames.json");
    await addPendingRenames(place, [{ kind: "service", from: "Echo", to: "Reply" }], undefined);
    const record = readFileSync(renames);
    writeFileSync(topology, drawn("Reply"));
    expect((await penstock.run(["generate", dir, "--dry-run"])).stdout).toContain(
      "would remove src/services/echo.cpp",
    );
    expect((await penstock.run(["generate", dir])).code).toBe(0);
    expect(readFileSync(code("reply"), "utf8")).toContain("// mine");
    expect([existsSync(code("echo")), existsSync(renames)]).toEqual([false, false]);

    writeFileSync(renames, record);
    writeFileSync(topology, drawn("Reply", "Echo"));
    expect((await penstock.run(["generate", dir])).code).toBe(0);
    expect(readFileSync(code("reply"), "utf8")).toContain("// mine");
    expect(existsSync(code("echo"))).toBe(true);
  });
});

describe("penstock validate", () => {
  test("finds nothing in a sound drawing, named by folder, by file or by the current folder", async () => {
    const dir = penstock.project("sound", sound);
    for (const [args, cwd] of [
      [[dir], penstock.folder],
      [[path.join(dir, "topology.json")], penstock.folder],
      [[], dir],
    ] as const) {
      const ended = await penstock.run(["validate", ...args], { cwd });
      expect(ended).toEqual({ code: 0, stdout: "no problems\n", stderr: "" });
    }
  });

  test("shows all problems at once, each with code, place and help, and exits 1", async () => {
    const { code, stdout, stderr } = await penstock.run(["validate", penstock.project("broken", broken)]);
    expect(code).toBe(1);
    expect(stdout).toBe("2 errors\n");
    expect(stderr).toMatch(/^error PS\d{3} topology\.json:\d+:\d+ \/services\/0\/request: .*Nmuber/m);
    expect(stderr).toMatch(/^error PS\d{3} topology\.json:\d+:\d+ \/services\/0\/calls\/0: .*Thrice/m);
  });

  test("says what generate will refuse, as a warning", async () => {
    const http = { address: "demo.example:80", auth: "bearer", tls: "keys" };
    const drawing = { ...sound, binaries: [{ name: "demo-server", bundles: ["All"], http }] };
    const { code, stdout, stderr } = await penstock.run(["validate", penstock.project("open", drawing)]);
    expect([code, stdout]).toEqual([0, "1 warning\n"]);
    expect(stderr).toMatch(/^warning PS906 topology\.json:\d+:\d+ \/binaries\/0\/http\/address: /m);
  });

  test("prints one JSON document and nothing else", async () => {
    const ended = await penstock.run(["validate", "--json", penstock.project("broken", broken)]);
    expect(ended).toMatchObject({ code: 1, stderr: "" });
    const { ok, problems } = documentOf(ended);
    expect(ok).toBe(false);
    expect(problems.map(({ pointer }) => pointer).sort()).toEqual([
      "/services/0/calls/0",
      "/services/0/request",
    ]);
    for (const problem of problems) {
      expect(problem).toMatchObject({
        severity: "error",
        code: expect.stringMatching(/^PS\d{3}$/),
        help: expect.any(String),
      });
    }
  });

  test.each([
    ["half a document", '{ "penstock": 1, '],
    ["no text at all", ""],
    ["a newer format", '{ "penstock": 99, "name": "demo" }'],
    ["nesting without end", "[".repeat(100_000)],
  ])("says what is wrong with %s", async (_, text) => {
    const ended = await penstock.run(["validate", "--json", penstock.project("odd", text)]);
    expect(ended.code).toBe(1);
    expect(documentOf(ended).problems).toHaveLength(1);
  });

  test("a folder that is no project is wrong usage", async () => {
    const { code, stderr } = await penstock.run(["validate", penstock.folder]);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no topology.json");
  });
});

describe("penstock schema", () => {
  test("prints a JSON Schema", async () => {
    const { code, stdout } = await penstock.run(["schema"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: expect.stringContaining("2020-12"), type: "object" });
  });

  test("--json puts it into a document", async () => {
    expect(documentOf(await penstock.run(["schema", "--json"]))).toMatchObject({
      ok: true,
      schema: { type: "object" },
    });
  });

  test("--names prints the refused names", async () => {
    const { code, stdout } = await penstock.run(["schema", "--names"]);
    expect(code).toBe(0);
    for (const name of ["class", "co_await", "NULL", "errno"])
      expect(stdout).toMatch(new RegExp(`^\\s*${name}$`, "m"));
  });
});

describe("penstock init", () => {
  test("makes an empty project that is sound", async () => {
    const dir = path.join(penstock.folder, "My Flows-2");
    const ended = await penstock.run(["init", dir, "--empty", "--json"]);
    expect(ended.code).toBe(0);
    expect((await penstock.run(["init", `${dir} 3`, "--empty"])).stderr).toContain(
      `Next: penstock run '${dir} 3'`,
    );
    expect(documentOf(ended)).toMatchObject({ ok: true, dir });
    expect(JSON.parse(readFileSync(path.join(dir, "topology.json"), "utf8"))).toEqual({
      penstock: 1,
      name: "my_flows_2",
      bundles: [{ name: "Main" }],
      binaries: [{ name: "my-flows-2-server", bundles: ["Main"] }],
    });
    expect((await penstock.run(["validate", dir])).code).toBe(0);
  });

  test("copies an example without what it makes again", async () => {
    const dir = path.join(penstock.folder, "copy");
    expect((await penstock.run(["init", dir, "--example", "hello"])).code).toBe(0);
    expect(existsSync(path.join(dir, "topology.json"))).toBe(true);
    expect(readdirSync(dir)).not.toContain("build");
    expect((await penstock.run(["validate", dir])).code).toBe(0);
  });

  test("names the examples when there is no such one", async () => {
    const { code, stderr } = await penstock.run(["init", "x", "--example", "helo"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean hello?");
    expect(existsSync(path.join(penstock.folder, "x"))).toBe(false);
  });

  test("refuses a folder that is not empty, and touches nothing in it", async () => {
    const dir = penstock.project("full", sound);
    writeFileSync(path.join(dir, "mine"), "mine");
    const { code, stderr } = await penstock.run(["init", dir, "--empty"]);
    expect(code).toBe(2);
    expect(stderr).toContain("is not empty");
    expect(readdirSync(dir).sort()).toEqual(["mine", "topology.json"]);
  });
});

describe("penstock doctor", () => {
  test("lists the tools with their versions", async () => {
    const { stdout } = await penstock.run(["doctor"]);
    expect(stdout).toMatch(/✓ CMake\s+3\.\d+/);
    expect(stdout).toMatch(/✓ OpenSSL\s+3\.\d+/);
  });

  test("names what is missing and the command that installs it, and exits 3", async () => {
    const ended = await penstock.run(["doctor", "--json"], { env: { PATH: penstock.folder } });
    expect(ended.code).toBe(3);
    const document = documentOf(ended);
    expect(document.ok).toBe(false);
    expect(document["install"]).toContainEqual(
      expect.stringMatching(/^sudo apt-get install --no-install-recommends cmake ninja-build g\+\+/),
    );
  });

  test("wants the compilers that a build takes, and no others", async () => {
    const bin = path.join(penstock.folder, "compilers");
    mkdirSync(bin);
    for (const name of ["cmake", "ninja", "clang++-16"]) symlinkSync("/bin/true", path.join(bin, name));
    const missing = async (env: NodeJS.ProcessEnv): Promise<unknown> =>
      (
        documentOf(await penstock.run(["doctor", "--json"], { env }))["tools"] as {
          name: string;
          path: string;
        }[]
      )
        .slice(0, 3)
        .filter((tool) => tool.path === "")
        .map(({ name }) => name);
    // CMake does not look for it under that name, unless it is told.
    expect(await missing({ PATH: bin, CXX: "" })).toEqual(["C++ compiler"]);
    expect(await missing({ PATH: bin, CXX: "clang++-16 -v" })).toEqual([]);
    expect((await missingTools({ PATH: bin, CXX: "" })).map(({ tool }) => tool)).toEqual(["g++"]);
    expect(await missingTools({ PATH: bin, CXX: "clang++-16 -v" })).toEqual([]);
  });
});
