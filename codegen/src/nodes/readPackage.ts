import type { z } from "zod";
import { problem, quote, type Problem, type ProblemCode } from "../model/diagnostics/index.js";
import { readJson } from "../model/json/index.js";

/** A kind of node or source: what it is, and what stands beside its form. */
export interface Package<Manifest> {
  manifest: Manifest;
  /** `doc.md`; "" where there is none. */
  documentation: string;
  /** True for one of the project's own. */
  own: boolean;
}

/** A folder from which nothing leads out; paths are relative. */
export interface PackageFolder {
  /** Names in a folder, sorted; none when there is no such folder. */
  list(path: string): string[];
  /** The text of a regular file; undefined when there is none. */
  read(path: string): string | undefined;
  /** Of whatever is there, a link too: `size` is in bytes. */
  stat(path: string): { size: number } | undefined;
  /** True for a regular file. */
  isPlainFile(path: string): boolean;
}

const MOST_CHARACTERS = 262_144;

/** The files of one package, and what is wrong with them. */
export class PackageReader {
  readonly problems: Problem[] = [];
  /** Of its folder, which is to be its name. */
  readonly name: string;

  constructor(
    private readonly folder: PackageFolder,
    private readonly path: string,
    private readonly what: "node" | "source",
    private readonly code: ProblemCode,
  ) {
    this.name = path.slice(path.lastIndexOf("/") + 1);
  }

  wrong(file: string, message: string, code = this.code): void {
    const text = `The ${this.what} ${quote(this.name)} ${message}`;
    this.problems.push(problem(code, "", text, { file: `${this.path}/${file}` }));
  }

  text(file: string): string | undefined {
    const path = `${this.path}/${file}`;
    // A character of UTF-16 is at most three bytes; a file without an end is not read to tell its length.
    const isShort = (this.folder.stat(path)?.size ?? 0) <= 3 * MOST_CHARACTERS;
    const read = isShort ? this.folder.read(path) : "";
    if (read === undefined || (isShort && read.length <= MOST_CHARACTERS)) return read;
    this.wrong(file, `has a ${file} of more than ${MOST_CHARACTERS} characters`);
    return undefined;
  }

  /** A manifest of the right shape; undefined: what is wrong with it has been said. */
  manifest<Manifest>(file: string, schema: z.ZodType<Manifest>): Manifest | undefined {
    const text = this.text(file);
    if (text === undefined) return void this.wrong(file, `has no ${file}`);
    const { value, problems } = readJson(text);
    if (value === undefined)
      return void this.wrong(file, `has a ${file} that is no JSON: ${problems[0]?.message ?? ""}`);
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues.slice(0, 20))
      this.wrong(file, `has a wrong manifest at ${quote(issue.path.join("."))}: ${issue.message}`);
    return undefined;
  }
}
