import { MOST_IMPORTED_FILES } from "@penstock/codegen/contract";
import { IMPORT_ENDINGS, isImported } from "@penstock/codegen/imports";

/** A file as it was brought: its path with the folders that came along. */
export interface BroughtFile {
  path: string;
  file: File;
}

/** What was brought, and the names of files that nobody reads. */
export interface Brought {
  files: BroughtFile[];
  aside: string[];
}

/** More entries of folders than this are not looked through. */
const MOST_ENTRIES = 20_000;
/** More bytes in all are not sent: with their quotes they fit into one request. */
const MOST_BYTES = 4_000_000;

/** Something in it may be a description: a file by its name, or any folder. */
export function mayDescribe({ files, items }: DataTransfer): boolean {
  return (
    [...files].some(({ name }) => isImported(name)) ||
    [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory === true)
  );
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** A browser hands out the entries of a folder in parts. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return all.sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name));
    all.push(...part);
  }
}

async function inFolder(folder: FileSystemDirectoryEntry): Promise<BroughtFile[]> {
  const found: BroughtFile[] = [];
  const folders = [folder];
  let seen = 0;
  for (let next = folders.shift(); next !== undefined && seen < MOST_ENTRIES; next = folders.shift())
    for (const entry of await entriesOf(next)) {
      seen += 1;
      if (entry.isDirectory) folders.push(entry as FileSystemDirectoryEntry);
      else if (isImported(entry.name))
        found.push({
          path: entry.fullPath.replace(/^\//, ""),
          file: await fileOf(entry as FileSystemFileEntry),
        });
    }
  return found;
}

/** The descriptions in what was dropped, those in folders too. To be called while the drop is handled. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<Brought> {
  const folders = [...items].flatMap((item) => {
    const entry = item.webkitGetAsEntry?.();
    return entry?.isDirectory ? [entry as FileSystemDirectoryEntry] : [];
  });
  // Of a folder a browser has a file, too, which cannot be read.
  const names = new Set(folders.map(({ name }) => name));
  const plain = chosenFiles([...files].filter(({ name }) => !names.has(name)));
  const inside = await Promise.all(folders.map(inFolder));
  return { files: [...plain.files, ...inside.flat()], aside: plain.aside };
}

/** Files that came without folders. */
export function chosenFiles(files: readonly File[]): Brought {
  return {
    files: files.filter(({ name }) => isImported(name)).map((file) => ({ path: file.name, file })),
    aside: files.flatMap(({ name }) => (isImported(name) ? [] : [name])),
  };
}

/** Why so many cannot be imported at once; undefined: they can. */
export function tooMuch(files: readonly BroughtFile[]): string | undefined {
  if (files.length > MOST_IMPORTED_FILES)
    return `These are ${files.length} files. At most ${MOST_IMPORTED_FILES} come in at once.`;
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const inMegabytes = (count: number): string => `${(count / 1_000_000).toFixed(1)} MB`;
  return bytes > MOST_BYTES
    ? `These are ${inMegabytes(bytes)}. At most ${inMegabytes(MOST_BYTES)} come in at once.`
    : undefined;
}

/** Lets the user choose some. */
export function pickFiles(take: (brought: Brought) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = IMPORT_ENDINGS.join(",");
  input.addEventListener("change", () => {
    if (input.files && input.files.length > 0) take(chosenFiles([...input.files]));
  });
  input.click();
}
