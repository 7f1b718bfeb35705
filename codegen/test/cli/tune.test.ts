import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { documentOf, type Penstock } from "./penstock.js";
import { RunningFake } from "./runningFake.js";

// It does as much with any number of threads.
const drawing = {
  penstock: 1,
  name: "fake",
  messages: [{ name: "M" }],
  services: [{ name: "GetAd", request: "M" }],
  bundles: [{ name: "All", services: ["GetAd"] }],
  binaries: [{ name: "app", bundles: ["All"], pools: [{ name: "front", threads: [{ cpus: [0] }, {}] }] }],
};
interface PoolNow {
  node: string;
  threads: number;
  adaptive?: { on: boolean };
}
const frontOf = async ({ run }: RunningFake): Promise<PoolNow | undefined> => {
  const { stdout } = await run("monitor", "DIR", "--once", "--json");
  const { pools } = JSON.parse(stdout) as { pools: PoolNow[] };
  return pools.find(({ node }) => node === "pool:app/front");
};
/** Resolves when a search has begun to try its largest size. */
const begun = ({ child }: ReturnType<Penstock["start"]>): Promise<void> =>
  new Promise((resolve) =>
    child.stderr?.on("data", (text: string) => text.includes("3 threads") && resolve()),
  );

describe("penstock tune", () => {
  const fake = RunningFake.during(drawing);
  const { run, penstock } = fake;
  const sizeNow = async (): Promise<number> => (await frontOf(fake))?.threads ?? 0;

  test("a slip in the name of a binary is said by who builds and who stops, and stops nothing", async () => {
    expect(await run("stop", "DIR", "--binary", "ap")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("ap is not running.\nWhat runs: app.\n"),
    });
    const built = await run("build", "DIR", "--binary", "ap");
    expect(built).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean app?") });
    expect(await sizeNow()).toBe(2);
  });

  test("keeps the fewest threads that do as much as any, in what runs and in the drawing", async () => {
    const tuned = await run("tune", "DIR", "front", "--to", "3", "--seconds", "1", "--draw", "--json");
    expect(tuned.code).toBe(0);
    const document = documentOf(tuned) as unknown as { points: { threads: number; perSecond: number }[] };
    expect(document).toMatchObject({ ok: true, pool: "front", before: 2, best: { threads: 1 } });
    expect(document.points.map(({ threads }) => threads)).toEqual([1, 2, 3]);
    for (const { perSecond } of document.points) expect(perSecond).toBeCloseTo(30, 0);
    expect(tuned.stderr).toContain(`Back: penstock set ${fake.dir} pool.resize front 2`);
    expect(await sizeNow()).toBe(1);
    const drawn = JSON.parse(readFileSync(path.join(fake.dir, "topology.json"), "utf8"));
    expect(drawn.binaries[0].pools[0].threads).toEqual([{ cpus: [0] }]);
  });

  test("given up with Ctrl-C it leaves the pool as it was", async () => {
    const tuning = penstock.start(["tune", fake.dir, "front", "--to", "3", "--seconds", "60"]);
    await begun(tuning);
    // Of two sizes that are not 1, a minute each.
    await expect.poll(sizeNow).toBeGreaterThan(1);
    tuning.child.kill("SIGINT");
    const { code, stderr } = await tuning.ended;
    expect(code).toBe(130);
    expect(stderr).toContain("front is as it was");
    expect(await sizeNow()).toBe(1);
  });

  test.each([
    [["tune", "DIR", "frnt"], "Did you mean front?"],
    [["tune", "DIR", "front", "--from", "4", "--to", "4"], "--from is not less than --to"],
    [["tune", "DIR", "front", "--to", "2000"], "from 1 to 1024"],
  ])("%j is wrong usage: %s", async (args, words) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe("penstock tune of a pool whose threads come and go", () => {
  const fake = RunningFake.during(drawing, { bounds: { from: 1, to: 8 }, anewWith: 1 });

  test("given up with Ctrl-C it lets them come and go again", async () => {
    const tuning = fake.penstock.start(["tune", fake.dir, "front", "--to", "3", "--seconds", "60"]);
    await begun(tuning);
    tuning.child.kill("SIGINT");
    const { stderr } = await tuning.ended;
    expect(stderr).toContain("front is as it was");
    expect(await frontOf(fake)).toMatchObject({ threads: 2, adaptive: { on: true } });
  });

  test("it ends when the process is another one", async () => {
    const { code, stderr } = await fake.run("tune", "DIR", "front", "--to", "2", "--seconds", "1");
    expect(code).toBe(3);
    expect(stderr).toContain("app was started anew");
    expect(await frontOf(fake)).toMatchObject({ threads: 2, adaptive: { on: true } });
  });

  test("it says how they come and go again, though it keeps their number", async () => {
    const { stderr } = await fake.run("tune", "DIR", "front", "--from", "2", "--to", "3", "--seconds", "1");
    expect(stderr).toContain(`front keeps its 2 threads. Back: penstock set ${fake.dir} pool.adapt front on`);
  });
});
