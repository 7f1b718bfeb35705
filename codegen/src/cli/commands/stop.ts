import { nameOfRunning, STOP_GRACE_MS, stopRunning } from "../../run/index.js";
import type { Command } from "../command.js";
import { EXIT } from "../exitCode.js";
import { patiently } from "../patience.js";
import { projectPlace } from "../project/projectArgument.js";
import { runningProcesses } from "../binaries/runningBinaries.js";

/** `penstock stop`: ends what `run --detach` or the designer started. */
export const command: Command = {
  usage: "[PROJECT] [--binary NAME]",
  doc: "Stops the running binaries of a project: each drains and ends, after 5 s it is killed. Nothing\nrunning is no error.",
  positionals: { min: 0, max: 1 },
  options: { binary: { type: "string", value: "NAME", doc: "stop this one only" } },
  examples: ["penstock stop ads"],
  async run({ positionals, value, output }) {
    const place = projectPlace(positionals[0]);
    const running = await runningProcesses(place.dir, value("binary"));
    const graceMs = patiently(STOP_GRACE_MS);
    const stopped = await Promise.all(
      running.map(async (entry) => ({
        binary: nameOfRunning(entry),
        pid: entry.pid,
        graceful: await stopRunning(entry, graceMs),
      })),
    );
    output.document({ ok: true, problems: [], stopped });
    for (const { binary, pid, graceful } of stopped) {
      output.result(
        graceful
          ? `stopped ${binary} (process ${pid})`
          : `killed ${binary} (process ${pid}): it did not stop within ${graceMs / 1000} s`,
      );
    }
    if (stopped.length === 0) output.note("Nothing of this project is running.");
    return EXIT.done;
  },
};
