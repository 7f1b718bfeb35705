import { problem, type Problem } from "../model/diagnostics/index.js";

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

/** What an error of the file system means to the person who asked for the project. */
export function refusalOf(error: unknown, path: string): WriteRefusal | undefined {
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
      return new WriteRefusal(
        [problem("PS703", "", `${path} is a symbolic link or not what it must be; it is not followed.`, at)],
        code,
      );
    default:
      return undefined;
  }
}
