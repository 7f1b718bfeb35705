import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inTurn } from "../measure/figures.mjs";
import { say } from "../setup/report.mjs";
import { JOIN, MEMORY, MODES } from "./applications.mjs";
import { startByHand, startPenstock } from "./programs.mjs";
import { latency, lostAndRepeated, nowUs, perSecond, readLog, throughput } from "./transaction-log.mjs";

/** A tenth more than waiting allows: enough to keep the pool that waits busy, too little to fill the memory. */
const OVERLOAD = 1.1;
const SAMPLED = 3;

const round = (value, digits) => Math.round(value * 10 ** digits) / 10 ** digits;

function startIn(mode, project, application, env) {
  if (mode === "by-hand") return startByHand(project, application, env);
  const on = mode === "sampling-on";
  return startPenstock(project, application, env, { per128: on ? SAMPLED : 0, watched: on });
}

/** Starts a program afresh, lets `drive` do what it does, and gives the log with what was lost of it. */
async function observe(mode, project, application, drive) {
  const folder = mkdtempSync(path.join(tmpdir(), "penstock-experiment-"));
  const log = path.join(folder, "transactions.log");
  const env = { ...application.settings, [application.logSetting]: log };
  let program;
  const interrupted = () => program?.kill();
  process.on("exit", interrupted);
  try {
    program = await startIn(mode, project, application, env);
    const marks = await drive(program);
    const { emitted, failed } = await program.stop();
    const lines = readLog(log);
    const found = lostAndRepeated(lines, emitted, failed);
    for (const [what, count] of Object.entries({ ...found, failed }))
      if (count > 0) say(`  ${application.name}, ${mode}: ${count} of ${emitted} events ${what}`);
    return { marks, lines, ...found };
  } catch (error) {
    program?.kill();
    throw error;
  } finally {
    process.off("exit", interrupted);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Experiment 1, once: latency at half of the limit, then throughput beyond it. */
async function measureOverhead(mode, project, application, seconds) {
  const { marks, lines, lost, repeated } = await observe(mode, project, application, async (program) => {
    const { half, limit } = application;
    await program.setRate(half);
    await sleep(seconds.half * 250);
    const halfFrom = nowUs();
    await sleep(seconds.half * 750);
    const halfTo = nowUs();
    await program.setRate(Math.round(limit * OVERLOAD));
    await sleep(seconds.fill * 1000);
    const limitFrom = nowUs();
    const cpuBefore = program.cpuUs();
    await sleep(seconds.limit * 1000);
    const cpuUs = program.cpuUs() - cpuBefore;
    return { halfFrom, halfTo, limitFrom, limitTo: nowUs(), cpuUs };
  });
  const { p50Ms, p99Ms } = latency(lines, marks.halfFrom, marks.halfTo);
  const rate = throughput(lines, marks.limitFrom, marks.limitTo);
  return {
    throughput: round(rate, 1),
    p50Ms: round(p50Ms, 3),
    p99Ms: round(p99Ms, 3),
    lost,
    repeated,
    /** Processor time of an event at the limit, microseconds. */
    cpuUs: round((marks.cpuUs / (marks.limitTo - marks.limitFrom) / rate) * 1e6, 1),
  };
}

/** Experiment 1: the modes in turn. */
export async function overheadRows(projects, { applications, attempts, seconds }, progress) {
  const rows = [];
  for (let attempt = 1; attempt <= attempts; ++attempt) {
    for (const application of applications) {
      for (const mode of inTurn(MODES, attempt - 1)) {
        progress(`attempt ${attempt} of ${attempts}: ${application.name} ${mode}`);
        const project = projects.get(application.name);
        const figures = await measureOverhead(mode, project, application, seconds);
        rows.push({ experiment: 1, application: application.name, mode, attempt, ...figures });
      }
    }
  }
  return rows;
}

/** Experiment 2, once: a constant load, a join put in, and taken out again. Two rows. */
async function measureJoin(project, application, { load, perSecond: rate }, attempt, seconds) {
  const { steady, change } = seconds;
  const { marks, lines, lost, repeated } = await observe(
    "sampling-on",
    project,
    application,
    async (program) => {
      await program.setRate(rate);
      await sleep(1000);
      const begun = nowUs();
      await sleep(steady * 1000);
      const added = nowUs();
      await program.setJoin(JOIN.stage, JOIN.threads);
      await sleep(change * 1000);
      const removed = nowUs();
      await program.removeJoin(JOIN.stage);
      await sleep(change * 1000 + 200);
      return { begun, add: added, remove: removed };
    },
  );
  const steadyP99Ms = latency(lines, marks.begun, marks.add).p99Ms;
  return ["add", "remove"].map((operation) => {
    const at = marks[operation];
    const { p50Ms, p99Ms } = latency(lines, at, at + 1e6);
    const ended = perSecond(lines, at, change);
    return {
      experiment: 2,
      application: application.name,
      mode: "sampling-on",
      attempt,
      throughput: round(ended.reduce((sum, count) => sum + count, 0) / change, 1),
      p50Ms: round(p50Ms, 3),
      p99Ms: round(p99Ms, 3),
      lost,
      repeated,
      operation,
      load,
      perSecond: ended,
      steadyP99Ms: round(steadyP99Ms, 3),
    };
  });
}

/** Experiment 2 at both loads. */
export async function joinRows(projects, { applications, attempts, seconds, whole }, progress) {
  const application = applications.find(({ name }) => name === JOIN.application);
  if (application === undefined) return [];
  const rows = [];
  const times = whole ? attempts : 1;
  for (let attempt = 1; attempt <= times; ++attempt) {
    for (const load of JOIN.loads) {
      progress(`join at ${load.load} events a second, attempt ${attempt} of ${times}`);
      rows.push(...(await measureJoin(projects.get(application.name), application, load, attempt, seconds)));
    }
  }
  return rows;
}

/** Experiment 3, once: the memory of each second at half of the limit, beyond all of it, and at half again. */
async function measureMemory(mode, project, application, seconds) {
  const { half, limit } = application;
  const rates = [half, Math.round(limit * MEMORY.overload), half];
  const residentMiB = [];
  const { lost, repeated } = await observe(mode, project, application, async (program) => {
    const begun = performance.now();
    const note = () => residentMiB.push(round(program.residentMiB(), 2));
    note();
    for (const rate of rates) {
      await program.setRate(rate);
      for (let second = 0; second < seconds; ++second) {
        await sleep(begun + residentMiB.length * 1000 - performance.now());
        note();
      }
    }
  });
  return { rates, phaseSeconds: seconds, residentMiB, lost, repeated };
}

/** Experiment 3 by hand and with Penstock. */
export async function memoryRows(projects, { applications, seconds }, progress) {
  const application = applications.find(({ name }) => name === MEMORY.application);
  if (application === undefined) return [];
  const rows = [];
  for (const mode of MEMORY.modes) {
    progress(`${application.name} ${mode}`);
    const figures = await measureMemory(mode, projects.get(application.name), application, seconds.memory);
    rows.push({ experiment: 3, application: application.name, mode, attempt: 1, ...figures });
  }
  return rows;
}
