import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { problem, quote, type Problem } from "../model/diagnostics/index.js";

/** Writing cannot go on; the project is as it was. */
export class WriteRefusal extends Error {
  constructor(
    readonly problems: Problem[],
    /** The system's own word for it. */
    readonly code?: string,
  ) {
    super(problems.map((item) => item.message).join("\n"));
  }
}

/** A file is larger than it may be, in bytes. */
export const tooLarge = (path: string, limit: number): WriteRefusal =>
  new WriteRefusal(
    [problem("PS715", "", `${path} is larger than ${Math.floor(limit / 1e6)} MB.`, { file: path })],
    "EFBIG",
  );

/** What an error of the file system means to the person who asked for the project, `path` of which is in `root`. */
export function refusalOf(error: unknown, path: string, root?: string): WriteRefusal | undefined {
  const code = (error as NodeJS.ErrnoException).code;
  const at = { file: path };
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return new WriteRefusal(
        [problem("PS704", "", `The disk is full: ${path} cannot be written.`, at)],
        code,
      );
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return new WriteRefusal([problem("PS705", "", `No permission to write ${path} (${code}).`, at)], code);
    case "ELOOP":
    case "ENOTDIR":
      return new WriteRefusal([inTheWay(path, root)], code);
    default:
      return undefined;
  }
}

/** The link on the way from `root` to `path`, with what stands behind it; else what is no plain file or folder. */
function inTheWay(path: string, root: string | undefined): Problem {
  const at = { file: path };
  for (const step of root === undefined ? [] : path.split("/").keys()) {
    const link = path.split("/", step + 1).join("/");
    const target = targetOf(join(root!, link));
    if (target === undefined) continue;
    const message = `${link} is a symbolic link to ${quote(target)}; links in a project are not followed.`;
    const help = `Remove the link ${link} and put what it leads to in its place.`;
    return problem("PS703", "", message, { ...at, help });
  }
  return problem("PS703", "", `${path} is no plain file or folder.`, at);
}

/** Where a link leads; undefined for what is none. For the words alone: what lies there is never read. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** What is read; undefined where that is refused. */
export function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WriteRefusal) return undefined;
    throw error;
  }
}
