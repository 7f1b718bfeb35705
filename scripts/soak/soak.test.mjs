import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openedOutside } from "./inputs.mjs";
import { PROOFS } from "./proofs.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const soak = (...args) =>
  spawnSync(process.execPath, [path.join(repository, "scripts/soak.mjs"), ...args], { encoding: "utf8" });

test("npm run soak lists its proofs, and refuses what it does not know", () => {
  const { status, stdout } = soak("--list");
  expect(status).toBe(0);
  expect(stdout.trimEnd().split("\n")).toHaveLength(PROOFS.length);
  for (const { name, proves } of PROOFS)
    expect(stdout).toMatch(new RegExp(`^${name} +${proves.slice(0, 9)}`, "m"));
  for (const wrong of ["--only=capacitty", "--minutes=0", "--minutes=x", "--minutes=-1"])
    expect(soak(wrong)).toMatchObject({ status: 2, stdout: "" });
  expect(soak("--list", "--minutes", "0.5").status).toBe(0);
});

test("what reads invented inputs does it for as long as it is told", () => {
  const timed = PROOFS.filter(({ minutes }) => minutes !== undefined);
  expect(timed.map(({ name }) => name)).toEqual(["fuzz", "descriptions"]);
});

test("every test that moved to the soak is in a proof", () => {
  const named = readdirSync(path.join(repository, "scripts/soak"))
    .map((file) => readFileSync(path.join(repository, "scripts/soak", file), "utf8"))
    .join("");
  const files = readdirSync(path.join(repository, "codegen/test/soak")).filter((file) =>
    file.endsWith(".test.ts"),
  );
  expect(files.filter((file) => !named.includes(`"${path.basename(file, ".test.ts")}"`))).toEqual([]);
});

test("a file that a section opens, and does not say so, is seen", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-opened-"));
  try {
    for (const name of ["package.json", "CHANGELOG.md", "new.txt"])
      writeFileSync(path.join(folder, name), "1");
    const read = (name) => () => execFileSync("cat", [path.join(folder, name)]).toString();
    const looking = (name) => openedOutside(folder, "asan", ["CHANGELOG.md", "new.txt"], read(name));
    expect(await looking("CHANGELOG.md")).toEqual({ result: "1", opened: ["CHANGELOG.md"] });
    expect(await looking("new.txt")).toEqual({ result: "1", opened: [] });
  } catch (error) {
    // Where the disk keeps no such times, there is nothing to see.
    expect(error.message).toContain("noatime");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
