import type { SourceFile, SourceText } from "../contract/index.js";
import {
  contentHash,
  isPlainRelative,
  OutsideError,
  readPlain,
  replacePlain,
  TooLargeError,
  WriteRefusal,
} from "../disk/index.js";
import { decodeText } from "./drawing/drawing.js";
import { fileIdOf } from "./projectId.js";
import { Refusal } from "./drawing/refusal.js";

/** Largest file of a user's that the code panel opens, in bytes. */
export const SOURCE_LIMIT = 1_000_000;

/** A file as the generator describes it: everything but the id. */
export type DescribedFile = Omit<SourceFile, "id">;

export function withIds(files: DescribedFile[]): SourceFile[] {
  return files
    .filter((file) => isPlainRelative(file.path))
    .map((file) => ({ id: fileIdOf(file.path), ...file }));
}

function explain(error: unknown, path: string): unknown {
  if (
    error instanceof OutsideError ||
    (error instanceof WriteRefusal && error.problems[0]?.code === "PS703") ||
    (error as NodeJS.ErrnoException).code === "ENOTDIR"
  ) {
    return new Refusal(
      "outside",
      `${path} is not a plain file inside the project`,
      "Links are not followed.",
    );
  }
  if (error instanceof WriteRefusal) {
    const full = error.problems[0]?.code === "PS704";
    return new Refusal(full ? "disk-full" : "read-only", error.message, error.problems[0]?.help ?? "");
  }
  if (error instanceof TooLargeError) {
    return new Refusal("too-large", error.message, "Open it with another editor.");
  }
  if ((error as NodeJS.ErrnoException).code === "ENOENT") {
    return new Refusal("not-found", `${path} does not exist yet`, "Generate the project first.");
  }
  return error;
}

/** Reads one of the project's files as text. */
export async function readSource(root: string, file: SourceFile): Promise<SourceText> {
  try {
    const { bytes } = await readPlain(root, file.path, SOURCE_LIMIT);
    const text = decodeText(bytes);
    if (text === undefined) {
      throw new Refusal("damaged", `${file.path} is not UTF-8 text`, "Open it with another editor.");
    }
    const { id, path, owner } = file;
    return { id, path, text, hash: contentHash(bytes), readOnly: owner === "generated" };
  } catch (error) {
    throw explain(error, file.path);
  }
}

const conflict = (current: SourceText): Refusal =>
  new Refusal(
    "conflict",
    `${current.path} was changed elsewhere`,
    "Compare both and save again.",
    undefined,
    { current },
  );

/**
 * Replaces a file of the user's, if it still is what the editor showed.
 *
 * @param hash of the text the editor began with (`If-Match`)
 * @param onStep told before each change on disk: tests change the folder there
 * @throws Refusal "conflict" whose `extra.current` is the file as it is now
 */
export async function writeSource(
  root: string,
  file: SourceFile,
  text: string,
  hash: string,
  onStep?: (step: string) => void,
): Promise<SourceText> {
  if (file.owner !== "user") {
    throw new Refusal(
      "read-only",
      `${file.path} is generated`,
      "Edits there would be lost; change the drawing.",
    );
  }
  if (Buffer.byteLength(text) > SOURCE_LIMIT) {
    throw new Refusal("too-large", `${file.path} would be larger than 1 MB`, "Split the file.");
  }
  const current = await readSource(root, file);
  if (current.hash !== hash) throw conflict(current);
  const isSaved = await replacePlain(root, file.path, text, hash, onStep).catch((error: unknown) => {
    throw explain(error, file.path);
  });
  if (!isSaved) throw conflict(await readSource(root, file));
  return { ...current, text, hash: contentHash(text) };
}
