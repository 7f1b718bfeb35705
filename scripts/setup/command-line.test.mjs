import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { builtEntry, builtFolder, readRecord, recordFile } from "../../codegen/bin/built.mjs";
import { buildCommandLine, commandLineFresh } from "./command-line.mjs";

let root;
const put = (file, text) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "penstock-command-line-"));
  put("package-lock.json", "{}");
  put("codegen/package.json", '{ "type": "module" }');
  put("codegen/src/cli/later.ts", "export const word: string = 'first';\n");
  put("codegen/src/cli/main.ts", 'export const main = async () => (await import("./later.js")).word;\n');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

const said = async () => (await import(await builtEntry(root))).main();

describe("what is built of the command line", () => {
  test("is JavaScript that runs, and fresh until a source has another text", async () => {
    expect(commandLineFresh(root)).toBe(false);
    await buildCommandLine(root);
    expect(commandLineFresh(root)).toBe(true);
    expect(await said()).toBe("first");
    put("codegen/src/cli/later.ts", "export const word: string = 'other';\n");
    expect(commandLineFresh(root)).toBe(false);
    await buildCommandLine(root);
    expect(await said()).toBe("other");
  });

  test("is not made again because of a test, or of a file that was only touched", async () => {
    await buildCommandLine(root);
    put("codegen/src/cli/main.test.ts", "");
    expect(commandLineFresh(root)).toBe(true);
    const before = readRecord(root);
    utimesSync(path.join(root, "codegen/src/cli/main.ts"), new Date(1000), new Date(1000));
    expect(commandLineFresh(root)).toBe(true);
    // Looked at once: the next start finds the times that it knows.
    expect(readRecord(root)).toEqual({ ...before, seen: expect.not.stringContaining(before.seen) });
  });

  test("is not fresh without the file that it begins with", async () => {
    const { entry } = await buildCommandLine(root);
    rmSync(path.join(builtFolder(root), entry));
    expect(commandLineFresh(root)).toBe(false);
    await buildCommandLine(root);
    expect(await said()).toBe("first");
  });

  test("keeps the parts of the build before, which a running server may still read, and no others", async () => {
    const first = await buildCommandLine(root);
    put("codegen/src/cli/later.ts", "export const word: string = 'second';\n");
    const second = await buildCommandLine(root);
    const there = () =>
      readdirSync(builtFolder(root)).filter((name) => name !== path.basename(recordFile(root)));
    expect(there().sort()).toEqual([...new Set([...first.files, ...second.files])].sort());
    put("codegen/src/cli/later.ts", "export const word: string = 'third';\n");
    const third = await buildCommandLine(root);
    expect(there().sort()).toEqual([...new Set([...second.files, ...third.files])].sort());
  });

  test("holds every package that it needs, or there is none", async () => {
    put("codegen/src/cli/main.ts", 'import "penstock-no-such-package";\nexport const main = () => 1;\n');
    await expect(buildCommandLine(root)).rejects.toThrow("penstock-no-such-package");
    expect(readRecord(root)).toBeUndefined();
  });

  test("runs as it is where there are no sources, as in a package", async () => {
    await buildCommandLine(root);
    rmSync(path.join(root, "codegen", "src"), { recursive: true });
    expect(await said()).toBe("first");
  });

  test("is made anew at its start where the sources have changed, and that is said", async () => {
    const words = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    await buildCommandLine(root);
    put("codegen/src/cli/later.ts", "export const word: string = 'edited';\n");
    put("node_modules/.penstock-lock-hash", createHash("sha256").update("{}").digest("hex"));
    expect(await said()).toBe("edited");
    expect(String(words.mock.calls)).toContain("its sources have changed");
    words.mockClear();
    expect(await said()).toBe("edited");
    expect(words).not.toHaveBeenCalled();
  });

  test("is not run where the packages are others than it asks for: set-up is named, exit 3", async () => {
    const words = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const ended = vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    await buildCommandLine(root);
    put("package-lock.json", '{ "packages": {} }');
    await expect(builtEntry(root)).rejects.toThrow("exit 3");
    expect(String(words.mock.calls)).toContain("What helps: npm run setup");
    expect(ended).toHaveBeenCalledOnce();
  });

  test("has a map beside each part, which no part names", async () => {
    const { files } = await buildCommandLine(root);
    const parts = files.filter((name) => name.endsWith(".js"));
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(files).toContain(`${part}.map`);
      expect(readFileSync(path.join(builtFolder(root), part), "utf8")).not.toContain("sourceMappingURL");
    }
  });
});
