import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { VERBS } from "../../src/cli/verbs.js";
import { documentOf, Penstock } from "./penstock.js";

const penstock = new Penstock();
afterAll(() => penstock.cleanUp());

describe("penstock, as it is called", () => {
  test("without a verb it shows the verbs on stderr and says wrong usage", async () => {
    const { code, stdout, stderr } = await penstock.run([]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    for (const verb of Object.keys(VERBS)) expect(stderr).toContain(`\n  ${verb} `);
  });

  test("--help and --version answer on stdout", async () => {
    expect(await penstock.run(["--help"])).toMatchObject({ code: 0, stderr: "" });
    expect((await penstock.run(["--version"])).stdout).toMatch(/^penstock \d+\.\d+\.\d+\n$/);
  });

  test.each(Object.keys(VERBS))("%s --help explains the verb and all its options", async (verb) => {
    const { code, stdout, stderr } = await penstock.run([verb, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: penstock ${verb}`);
    for (const option of ["--json", "--quiet", "--help"]) expect(stdout).toContain(option);
    expect(stdout).not.toContain("\u001b");
  });

  test.each([
    [["valdate"], "Did you mean `penstock validate`?"],
    [["bulid"], "Did you mean `penstock build`?"],
    [["validate", "--jsno"], "Did you mean --json?"],
    [["build", "--preset", "relase"], "Did you mean release?"],
    [["build", "--preset"], "--preset needs a value"],
    [["build", "--preset", "--quiet"], "--preset needs a value"],
    [["build", "--binary=a", "--binary=b"], "--binary is given twice"],
    [["validate", "--json=yes"], "--json takes no value"],
    [["validate", "-j"], "validate has no option -j"],
    [["validate", "a", "b"], 'validate does not take "b"'],
    [["set"], "set needs more arguments"],
    [["set", "pool.rezise", "front", "4"], "Did you mean pool.resize"],
    [["serve", "--port", "70000"], "It is a whole number from 0 to 65535."],
    [["serve", "--host", "0.0.0.0"], "need TLS"],
    [["init", "x", "--empty", "--example", "ads"], "exclude each other"],
    [["validate", "nowhere"], "nowhere does not exist"],
    [["__proto__"], "there is no verb"],
    [["validate", "--constructor"], "validate has no option --constructor"],
  ])("%j is wrong usage: %s", async (args, words) => {
    const { code, stdout, stderr } = await penstock.run(args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("wrong usage is a document too with --json, and stderr stays empty", async () => {
    const ended = await penstock.run(["bulid", "--json"]);
    expect(ended).toMatchObject({ code: 2, stderr: "" });
    expect(documentOf(ended)).toMatchObject({
      ok: false,
      problems: [{ code: "PS991", severity: "error", help: "Did you mean `penstock build`?" }],
    });
  });

  test("a file where a folder is needed is in the way, and no bug of ours", async () => {
    const file = path.join(penstock.folder, "notes.txt");
    writeFileSync(file, "");
    for (const args of [
      ["init", file],
      ["serve", "--workspace", file],
    ]) {
      const { code, stderr } = await penstock.run(args);
      expect(code, args[0]).toBe(3);
      expect(stderr).toContain("notes.txt");
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  test("a verb that goes on ends early with an event, as it ends late", async () => {
    const { code, stdout } = await penstock.run(["monitor", penstock.project("idle", "{}"), "--json"]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ event: "failed", ok: false, problems: [{ code: "PS993" }] });
  });

  test("an empty project of any folder's name has no problem", async () => {
    for (const name of ["time", "default", "9 lives"]) {
      const dir = path.join(penstock.folder, name);
      expect((await penstock.run(["init", dir, "--empty"])).code).toBe(0);
      expect((await penstock.run(["validate", dir])).code, name).toBe(0);
    }
  });

  test("a reader that goes away early is no error", async () => {
    const { child, ended } = penstock.start(["schema"]);
    child.stdout?.destroy();
    expect((await ended).code).toBe(0);
  });

  test("colour is for terminals without NO_COLOR only", async () => {
    const { paintFor } = await import("../../src/cli/terminal/paint.js");
    expect(paintFor(true, {}).red("x")).toContain("\u001b[31m");
    for (const [terminal, env] of [
      [false, {}],
      [true, { NO_COLOR: "1" }],
      [true, { TERM: "dumb" }],
    ] as const) {
      expect(paintFor(terminal, env).red("x")).toBe("x");
    }
  });

  test("reads next to nothing for its help, which is why it is quick", async () => {
    await penstock.run(["--help"]);
    const dist = fileURLToPath(new URL("../../dist/cli/", import.meta.url));
    const { entry } = JSON.parse(readFileSync(`${dist}built.json`, "utf8")) as { entry: string };
    const texts = new Map<string, string>();
    const read = (name: string): void => {
      if (texts.has(name)) return;
      const text = readFileSync(`${dist}${name}`, "utf8");
      texts.set(name, text);
      for (const [, below] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) read(below ?? "");
    };
    read(entry);
    expect(texts.size).toBeGreaterThan(1);
    expect([...texts.values()].join("").length).toBeLessThan(100_000);
  });
});
