import { readFileSync } from "node:fs";

/** Microseconds of the clock that transaction logs are written by. */
export const nowUs = () => Number(process.hrtime.bigint() / 1000n);

/** Each line's number and when it came and ended, microseconds of the steady clock; by the time of its end. */
export function readLog(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const columns = line.split(" ").map(Number);
      const [receivedUs, tookUs] = columns.slice(-2);
      return { number: columns[0], receivedUs, tookUs, endedUs: receivedUs + tookUs };
    })
    .sort((one, other) => one.endedUs - other.endedUs);
}

/**
 * Numbers from 0 to `emitted` that are missing, but for those whose event `failed` (a gateway that did not answer in
 * time: such an event ends at the catch), and lines whose number was there before.
 */
export function lostAndRepeated(lines, emitted, failed = 0) {
  const seen = new Set(lines.map(({ number }) => number));
  const known = [...seen].filter((number) => number < emitted).length;
  return { lost: emitted - known - failed, repeated: lines.length - seen.size };
}

const endedWithin = (lines, fromUs, toUs) =>
  lines.filter(({ endedUs }) => endedUs >= fromUs && endedUs < toUs);

/**
 * Events a second that ended between two moments: the slope of the straight line through their number and
 * time, which does not depend on where in a burst the window begins and ends.
 */
export function throughput(lines, fromUs, toUs) {
  const ends = endedWithin(lines, fromUs, toUs).map(({ endedUs }) => (endedUs - fromUs) / 1e6);
  if (ends.length < 2) return 0;
  const meanTime = ends.reduce((sum, time) => sum + time, 0) / ends.length;
  const meanCount = (ends.length - 1) / 2;
  let both = 0;
  let times = 0;
  ends.forEach((time, count) => {
    both += (count - meanCount) * (time - meanTime);
    times += (time - meanTime) ** 2;
  });
  return both / times;
}

/** Events that ended in each whole second from a moment on. */
export const perSecond = (lines, fromUs, seconds) =>
  Array.from(
    { length: seconds },
    (_, second) => endedWithin(lines, fromUs + second * 1e6, fromUs + (second + 1) * 1e6).length,
  );

/** Latency, in milliseconds, of events that came between two moments. */
export function latency(lines, fromUs, toUs) {
  const took = lines
    .filter(({ receivedUs }) => receivedUs >= fromUs && receivedUs < toUs)
    .map(({ tookUs }) => tookUs / 1000)
    .sort((one, other) => one - other);
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
