import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/** Written aside and renamed, its folder made: who reads it meanwhile finds the old one or the new one. */
export function replaceFile(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  const aside = `${file}.${process.pid}.new`;
  writeFileSync(aside, content);
  renameSync(aside, file);
}
