import { readFileSync } from "node:fs";
import process from "node:process";

/** Linux counts processor time for its readers in hundredths of a second, everywhere. */
const TICKS_PER_SECOND = 100;

/** Seconds that all processors were busy since boot, time stolen by a host's other guests included. */
export function busySeconds(stat) {
  const [user, nice, system, , , irq, softirq, steal] = (/^cpu +(.*)$/m.exec(stat)?.[1] ?? "")
    .split(" ")
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND;
}

/** The kernel samples who is busy by ticks: a short run is off by some of them. */
const TICK_ERROR_SECONDS = 0.04;

/** Processors' worth of work that others did between two looks. */
export const othersShare = (before, after, ownSeconds) =>
  Math.max(0, after.busy - before.busy - ownSeconds - TICK_ERROR_SECONDS) / (after.at - before.at);

/** Above this share of one processor a run is thrown away. */
export const QUIET = 0.1;

export function look() {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now() / 1000,
    busy: busySeconds(readFileSync("/proc/stat", "utf8")),
    mine: (user + system) / 1e6,
  };
}

/** What others did since `before`, while we did `ownSeconds` of work in children that have ended. */
export function othersSince(before, ownSeconds = 0) {
  const after = look();
  return othersShare(before, after, ownSeconds + after.mine - before.mine);
}

export const loadAverage = () => readFileSync("/proc/loadavg", "utf8").split(" ").slice(0, 3).join(" ");

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits for a second in which nobody else works, at most until `deadline`; whether there was one. */
export async function waitForQuiet(deadline, progress) {
  for (;;) {
    const before = look();
    await wait(1000);
    const share = othersSince(before);
    if (share <= QUIET) return true;
    if (performance.now() > deadline) return false;
    progress(`waiting: others use ${share.toFixed(1)} processors`);
  }
}
