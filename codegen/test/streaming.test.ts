import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { generateProject } from "../src/pipeline.js";
import { eventsOf, Penstock } from "./cli/penstock.js";
import { buildProject, TOGETHER, warningsIn } from "./support/build.js";
import { copyExample } from "./support/project.js";

/** As it is drawn: processes that count, and the queue of each of their pools. */
const NODES = 4;
const QUEUE = 256;
/** What each of them has credit for, what waits for it, and what is between the two. */
const MOST_UNDER_WAY = (NODES + 2) * QUEUE;
const AS_FAST_AS_IT_GOES = "1000000000";
const patient = { timeout: 600_000, interval: 200 };

describe("the example streaming", () => {
  const penstock = new Penstock();
  const dir = path.join(penstock.folder, "streaming");
  const logs = path.join(penstock.folder, "numbers");
  const env = { STREAMING_LOG: logs, PENSTOCK_PATIENCE: "60", PENSTOCK_DRAIN_MS: "240000" };
  beforeAll(async () => {
    mkdirSync(logs);
    copyExample("streaming", dir);
    penstock.trust(dir);
    expect((await generateProject(dir)).ok).toBe(true);
  });
  let stopped: number[] = [];
  const goOn = (): void => {
    for (const pid of stopped) process.kill(pid, "SIGCONT");
    stopped = [];
  };
  afterAll(async () => {
    goOn();
    await penstock.run(["stop", dir]);
    await penstock.cleanUp();
  });

  test("compiles without a warning, and passes its tests", () => {
    const output = buildProject(dir, ["sensors", "nodes", "Tests"], TOGETHER);
    expect(warningsIn(output)).toEqual([]);
    execFileSync(`${dir}/build/release/Checks/streaming_tests`, { stdio: "pipe" });
  });

  /** What the binary of the source says of itself: readings that were calibrated, ended, lost. */
  async function figures(): Promise<{ calibrated: number; ended: number; lost: number }> {
    const { stdout } = await penstock.run(["monitor", dir, "--once", "--json", "--binary", "sensors"]);
    const [{ nodes } = { nodes: [] }] = eventsOf<{
      nodes: { node: string; total: number; errors: number }[];
    }>(stdout);
    const of = (name: string) => nodes.find(({ node }) => node === name) ?? { total: 0, errors: 0 };
    const flow = of("flow:Readings");
    return {
      calibrated: of("service:Calibrate").total,
      ended: flow.total + flow.errors,
      lost: of("service:CountLost").total,
    };
  }
  /**
   * The figures once they are the same twice, with as much under way as one node takes: the source makes no more. One that
   * goes on is found out before it has filled the memory.
   */
  async function still(): Promise<Awaited<ReturnType<typeof figures>>> {
    let before = await figures();
    return vi.waitUntil(async () => {
      const [earlier, now] = [before, await figures()];
      before = now;
      expect(now.calibrated - now.ended).toBeLessThan(10 * MOST_UNDER_WAY);
      const same = now.calibrated === earlier.calibrated && now.ended === earlier.ended;
      return same && now.calibrated - now.ended > QUEUE && now;
    }, patient);
  }
  const perSecond = async (readings: string): Promise<void> => {
    const set = await penstock.run([
      ...["set", dir, "source.set", "Readings", readings],
      ...["--binary", "sensors"],
    ]);
    expect(set.code, set.stderr).toBe(0);
  };
  const logOf = (pid: number): string => path.join(logs, `${pid}.log`);
  const counts = (pid: number): Promise<void> =>
    vi.waitFor(() => expect(statSync(logOf(pid)).size).toBeGreaterThan(0), patient);

  test("streams to all nodes, makes no more than they take, and loses what one had under way", async () => {
    const running = penstock.start(["run", dir, "--json"], { env });
    let said = "";
    running.child.stdout?.on("data", (text: string) => (said += text));
    const ready = () =>
      eventsOf<{ event: string; binary: string; pid: number }>(said).filter((one) => one.event === "ready");
    const nodes = (): number[] =>
      ready()
        .filter(({ binary }) => binary !== "sensors")
        .map(({ pid }) => pid);
    await vi.waitUntil(() => ready().length === NODES + 1, patient);
    const first = nodes();
    for (const pid of first) await counts(pid);

    await perSecond(AS_FAST_AS_IT_GOES);
    for (const pid of first) process.kill(pid, "SIGSTOP");
    stopped = [...first];
    const full = await still();
    expect(full.calibrated - full.ended).toBeLessThanOrEqual(MOST_UNDER_WAY);
    expect(full.lost).toBe(0);

    // What it had is lost at once, and nothing of what the others have.
    process.kill(stopped.shift() ?? 0, "SIGKILL");
    await vi.waitFor(async () => expect((await figures()).lost).toBeGreaterThan(0), patient);
    await perSecond("1000");
    goOn();
    await vi.waitUntil(() => nodes().length === NODES + 1, patient);
    await counts(nodes().at(-1) ?? 0);
    expect((await figures()).lost).toBeLessThanOrEqual(QUEUE);

    // With the nodes there, so that nothing is lost on the way.
    expect((await penstock.run(["stop", dir, "--binary", "sensors"])).code).toBe(0);
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
    const numbers = readdirSync(logs)
      .flatMap((file) => readFileSync(path.join(logs, file), "utf8").trim().split("\n"))
      .map(Number);
    const counted = new Set(numbers);
    expect(counted.size).toBe(numbers.length);
    const made = numbers.reduce((a, b) => Math.max(a, b)) + 1;
    expect(made - counted.size).toBeLessThanOrEqual(QUEUE);
  }, 900_000);
});
