import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 300;

/** With its pid it names a process for ever; undefined when there is none (field 22 of /proc/PID/stat). */
function startTimeOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** Who builds in this folder just now, and how far that is; undefined when nobody does, or whoever did is gone. */
function builderOf(file) {
  try {
    const builder = JSON.parse(readFileSync(file, "utf8"));
    const { pid, startTime } = builder;
    // Where the system tells no such times nobody is waited for.
    return startTime !== undefined && startTimeOf(pid) === startTime ? builder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs `work` as the only one that builds in `folder`: while another set-up does, it is waited for, and `step`
 * says so. `work` is given `tell(done, total)`; what it tells stands in `under-way.json`, which a build of the
 * designer reads that needs what is being built (`codegen/src/build/runtimeUnderWay.ts`). `signal` ends the wait.
 */
export async function buildAlone(folder, step, work, signal) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "under-way.json");
  const startTime = startTimeOf(process.pid);
  const own = `${file}.${process.pid}`;
  const write = (done, total) =>
    writeFileSync(own, JSON.stringify({ pid: process.pid, startTime, done, total }));
  for (;;) {
    write(0, 0);
    try {
      // Whoever reads it finds it whole, and only one gets it made.
      linkSync(own, file);
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    } finally {
      rmSync(own);
    }
    const other = builderOf(file);
    if (other === undefined) {
      rmSync(file, { force: true });
      continue;
    }
    step.progress(`process ${other.pid} builds it: ${other.done}/${other.total}`);
    await sleep(LOOK_MS, undefined, { signal });
  }
  try {
    return await work((done, total) => {
      write(done, total);
      renameSync(own, file);
    });
  } finally {
    rmSync(file, { force: true });
  }
}
