import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Language } from "../../../src/imports/testing/spoil.js";

/** Of the processor, for one import: the largest public files take a tenth of a second. */
const MOST_SECONDS = 20;
/** As the program takes, whose memory stays the same however many it reads. */
const MOST_MEGABYTES = 256;
const TICKS_A_SECOND = 100;
const LOOK_EVERY_MS = 1000;

/** User and system time of a process so far. */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // Behind the name, which may hold anything: the state is the first.
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) / TICKS_A_SECOND;
}

/**
 * Imports spoiled files for that long, in a process of its own with little memory: one that takes too long, or all of
 * it, is a fault too. `next` is the seed that was read last.
 */
export async function readSpoiled(
  language: Language,
  seed: number,
  seconds: number,
): Promise<{ count: number; next: string; fault: string }> {
  const program = fileURLToPath(new URL("program.ts", import.meta.url));
  const args = [`--max-old-space-size=${MOST_MEGABYTES}`, "--import", "tsx", program, language];
  const child = spawn(process.execPath, [...args, String(seed), String(seconds)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [count, next, said, tooLong, begunAt] = [0, "", "", "", 0];
  createInterface(child.stdout).on("line", (line) => {
    count += 1;
    next = line;
    begunAt = -1;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4000)));
  const timer = setInterval(() => {
    if (child.pid === undefined || child.exitCode !== null) return;
    try {
      const spent = processorSeconds(child.pid);
      if (begunAt === -1) begunAt = spent;
      else if (spent - begunAt > MOST_SECONDS) {
        tooLong = `takes more than ${MOST_SECONDS} s of the processor`;
        child.kill("SIGKILL");
      }
    } catch {
      // It has ended.
    }
  }, LOOK_EVERY_MS);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    return { count, next, fault: code === 0 ? "" : tooLong || said || `ended with ${code}` };
  } finally {
    clearInterval(timer);
    child.kill("SIGKILL");
  }
}
