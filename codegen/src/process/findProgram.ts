import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** Path of a program found through PATH, or undefined; one with a slash in its name is looked for there only. */
export async function findProgram(
  name: string,
  path: string = process.env["PATH"] ?? "",
): Promise<string | undefined> {
  const candidates = name.includes("/")
    ? [name]
    : path.split(delimiter).map((folder) => join(folder || ".", name));
  for (const candidate of candidates) {
    const found = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return candidate;
  }
  return undefined;
}
