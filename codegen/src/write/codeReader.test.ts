import { expect, test } from "vitest";
import { WriteRefusal, type ConfinedFolder } from "../disk/index.js";
import { CodeReader } from "./codeReader.js";

/** A folder with one file of so many bytes. */
const folderOf = (size: number, read: () => string): ConfinedFolder =>
  ({ stat: () => ({ isFile: () => true, size }), read }) as unknown as ConfinedFolder;

test("code that is not ours to read is as if it was not there", () => {
  const refused = folderOf(3, () => {
    throw new WriteRefusal([], "EACCES");
  });
  expect(new CodeReader(refused).read("src/a.cpp")).toBeUndefined();
});

test("code is read up to a megabyte a file", () => {
  expect(new CodeReader(folderOf(3, () => "int")).read("src/a.cpp")).toBe("int");
  expect(new CodeReader(folderOf(1_000_001, () => "int")).read("src/a.cpp")).toBeUndefined();
});
