import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What `perf script` said of the example `ads` at 6,000 impressions a second; paths and numbers are nobody's. */
export const RECORDING: string = fileURLToPath(new URL("./ads.perf.txt", import.meta.url));

/** What it does when it is to record. */
const RECORDS = {
  /** Each process has to be there; the recording is the kept one. */
  kept: 'for pid in $(echo "$pids" | tr , " "); do kill -0 "$pid" || exit 1; done\ncp "$recording" "$file"',
  /** No function was on a CPU. */
  nothing: ': > "$file"',
  refused: "echo 'Access to performance monitoring and observability operations is limited.' >&2\nexit 255",
  /** Until it is ended. */
  endless: "exec sleep 3600",
} as const;

/**
 * A `perf` in `folder` that writes a fixed recording, whatever runs; gives the PATH on which it is the first. It keeps
 * the arguments that it was asked with in `asked-record` and `asked-script`.
 */
export function fakePerf(folder: string, records: keyof typeof RECORDS): string {
  mkdirSync(folder, { recursive: true });
  const script = `#!/bin/sh
recording='${RECORDING}'
verb=$1
{ echo "$@" > '${folder}/asked-'"$verb"; } 2> /dev/null
while [ $# -gt 0 ]; do
  case $1 in
    -o | -i) file=$2 ;;
    -p) pids=$2 ;;
  esac
  shift
done
if [ "$verb" = script ]; then exec cat "$file"; fi
${RECORDS[records]}
`;
  writeFileSync(join(folder, "perf"), script, { mode: 0o755 });
  return `${folder}:${process.env["PATH"] ?? ""}`;
}
