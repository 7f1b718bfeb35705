import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** What `perf script` said of the example `ads` at 6,000 impressions a second; paths and numbers are nobody's. */
export const RECORDING: string = beside("ads.perf.txt");

/** Asked to record, it writes the kept recording, writes it and ends as perf does before its time, writes that nothing ran, is refused by the kernel, or goes on until it is ended. */
export type Records = "kept" | "short" | "nothing" | "refused" | "endless";

/**
 * A `perf` in `folder` that writes a fixed recording, of services of `project`, whatever runs; gives the PATH on which it
 * is the first. It keeps the arguments that it was asked with in `asked-record` and `asked-script`.
 */
export function fakePerf(folder: string, records: Records, project = "ads"): string {
  mkdirSync(folder, { recursive: true });
  for (const name of ["perf", "ads.perf.txt"]) copyFileSync(beside(name), join(folder, name));
  writeFileSync(join(folder, "mode"), `${records} ${project}\n`);
  return `${folder}:${process.env["PATH"] ?? ""}`;
}
