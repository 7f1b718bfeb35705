import { MOST_IMPORTED_FILES } from "@penstock/codegen/contract";
import { expect, it } from "vitest";
import { chosenFiles, droppedFiles, mayDescribe, tooMuch } from "./broughtFiles.js";

const file = (name: string, text = "") => new File([text], name);

interface Folder {
  readonly [name: string]: Folder | string;
}

/** As a browser has a folder: its entries come in parts. */
function entryOf(name: string, what: Folder | string, path = `/${name}`): FileSystemEntry {
  if (typeof what === "string")
    return {
      name,
      fullPath: path,
      isDirectory: false,
      file: (done: (file: File) => void) => done(file(name, what)),
    } as unknown as FileSystemEntry;
  const left = Object.entries(what).map(([one, of]) => entryOf(one, of, `${path}/${one}`));
  return {
    name,
    fullPath: path,
    isDirectory: true,
    createReader: () => ({
      readEntries: (done: (entries: FileSystemEntry[]) => void) => done(left.splice(0, 2)),
    }),
  } as unknown as FileSystemEntry;
}

const dropped = (files: File[], folders: Record<string, Folder> = {}): DataTransfer =>
  ({
    files: [...files, ...Object.keys(folders).map((name) => file(name))],
    items: [
      ...files.map(() => ({ webkitGetAsEntry: () => null })),
      ...Object.entries(folders).map(([name, of]) => ({ webkitGetAsEntry: () => entryOf(name, of) })),
    ],
  }) as unknown as DataTransfer;

it("knows what may be a description: by its name, and any folder", () => {
  expect(mayDescribe(dropped([file("topology.json")]))).toBe(false);
  expect(mayDescribe(dropped([file("notes.txt"), file("A.PROTO")]))).toBe(true);
  expect(mayDescribe(dropped([], { api: {} }))).toBe(true);
});

it("finds the descriptions in folders, with their paths, and says which files nobody reads", async () => {
  const api = { v1: { "b.proto": "b", "a.proto": "a", "c.proto": "c", "go.mod": "" }, "x.idl": "x" };
  const { files, aside } = await droppedFiles(dropped([file("one.forb"), file("notes.txt")], { api }));
  expect(files.map(({ path }) => path)).toEqual([
    "one.forb",
    "api/x.idl",
    "api/v1/a.proto",
    "api/v1/b.proto",
    "api/v1/c.proto",
  ]);
  expect(aside).toEqual(["notes.txt"]);
  expect(await files[2]?.file.text()).toBe("a");
});

it("says what is too much before anything is read", () => {
  const { files } = chosenFiles([file("a.proto", "x".repeat(4_000_001))]);
  expect(tooMuch(files)).toMatch(/^These are 4\.0 MB/);
  expect(tooMuch(Array.from({ length: MOST_IMPORTED_FILES + 1 }, () => files[0]!))).toMatch(
    /^These are 501 files/,
  );
  expect(tooMuch(chosenFiles([file("a.proto")]).files)).toBeUndefined();
});
