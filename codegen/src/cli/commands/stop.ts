import { loadProject } from "../../pipeline.js";
import { listAttached, listRunning, STOP_GRACE_MS, stopInOrder, stopRunning } from "../../run/index.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { patiently } from "../verb/patience.js";
import { projectPlace } from "../project/projectArgument.js";
import { chosen, named, noneRuns } from "../binaries/runningBinaries.js";

/** `penstock stop`: ends what `run --detach` or the designer started. */
export const command: Command = {
  usage: "[PROJECT] [--binary NAME]",
  doc: "Stops the running binaries of a project: who calls others goes before them, each drains\nand ends, after 5 s it is killed. What is attached goes on. Nothing running is no error.",
  positionals: { min: 0, max: 1 },
  options: { binary: { type: "string", value: "NAME", doc: "stop this one only" } },
  examples: ["penstock stop ads"],
  async run({ positionals, value, output }) {
    const place = projectPlace(positionals[0]);
    const binary = value("binary");
    const all = (await listRunning(place.dir)).map(named);
    const running = chosen(all, binary);
    const graceMs = patiently(STOP_GRACE_MS);
    const graceful = new Map<number, boolean>();
    const names = [...new Set(running.map((entry) => entry.binary))];
    const { topology } = await loadProject(place.dir).catch(() => ({ topology: undefined }));
    await stopInOrder(topology, names, (name) =>
      Promise.all(
        running
          .filter((entry) => entry.binary === name)
          .map(async (entry) => graceful.set(entry.pid, await stopRunning(entry, graceMs))),
      ),
    );
    const stopped = running.map(({ name, pid }) => ({
      binary: name,
      pid,
      graceful: graceful.get(pid) === true,
    }));
    output.document({ ok: true, problems: [], stopped });
    for (const { binary, pid, graceful } of stopped) {
      output.result(
        graceful
          ? `stopped ${binary} (process ${pid})`
          : `killed ${binary} (process ${pid}): it did not stop within ${graceMs / 1000} s`,
      );
    }
    const attached = chosen((await listAttached(place.dir)).map(named), binary);
    for (const { name } of attached)
      output.note(`${name} is attached and goes on: \`penstock detach\` takes it out.`);
    if (stopped.length + attached.length > 0) return EXIT.done;
    output.note(noneRuns(binary));
    if (all.length > 0) output.note(`What runs: ${all.map(({ name }) => name).join(", ")}.`);
    return EXIT.done;
  },
};
