import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkFormat } from "./prettier.mjs";

const tools = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

test("what was found formatted in one clone is not looked at in another one; what differs is", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-format-"));
  const env = { PENSTOCK_CACHE: path.join(folder, "cache") };
  const check = (clone, text) => {
    const root = path.join(folder, clone);
    mkdirSync(root, { recursive: true });
    execFileSync("git", ["init", "-q"], { cwd: root });
    writeFileSync(path.join(root, "a.json"), text);
    symlinkSync(folder, path.join(root, "link.json"));
    return checkFormat(root, { env, tools });
  };
  try {
    expect(await check("one", '{ "a": 1 }\n')).toEqual({ ok: true, output: "" });
    const refused = await check("two", '{"a":1}');
    expect(refused.ok).toBe(false);
    expect(refused.output).toContain("a.json");
    // A lie, by which is seen that what is known is believed.
    const cache = path.join(folder, "cache", "prettier");
    const [salt] = readdirSync(cache);
    const lie = createHash("sha256").update('a.json\0{"a":1}\0').digest("hex");
    writeFileSync(path.join(cache, salt), lie);
    expect(await check("three", '{"a":1}')).toEqual({ ok: true, output: "" });
    rmSync(cache, { recursive: true });
    writeFileSync(cache, "a file, in which nothing can be kept");
    expect((await check("four", '{"a":1}')).ok).toBe(false);
    expect((await check("five", '{ "a": 1 }\n')).ok).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
