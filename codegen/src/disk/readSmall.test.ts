import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSmall } from "./readSmall.js";

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "penstock-small-"))));
afterEach(() => rmSync(dir, { recursive: true }));

test("reads what is no larger than it may be, through links as well", () => {
  writeFileSync(join(dir, "file"), "12345");
  symlinkSync("file", join(dir, "link"));
  for (const name of ["file", "link"]) expect(readSmall(join(dir, name), 5)?.toString()).toBe("12345");
  expect(readSmall(join(dir, "file"), 4)).toBeUndefined();
  expect(readSmall(join(dir, "none"), 5)).toBeUndefined();
});

test("waits for no pipe, and reads nothing that has no end", () => {
  mkdirSync(join(dir, "folder"));
  execFileSync("mkfifo", [join(dir, "pipe")]);
  for (const name of ["folder", "pipe"]) expect(readSmall(join(dir, name), 5)).toBeUndefined();
  expect(readSmall("/dev/zero", 5)).toBeUndefined();
  // Of size 0, and longer than that.
  expect(readSmall("/proc/self/maps", 5)).toBeUndefined();
});
