import type { LiveSample, LiveSchema } from "@penstock/codegen/contract";
import { emptyLayout, topologySchema, threadCount } from "@penstock/codegen/topology";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { changeBinary } from "../../kernel/document/edits/binaries.js";
import { rename } from "../../kernel/document/edits/rename.js";
import { documentStore, edit, showDocument } from "../../kernel/document/index.js";
import { followNames } from "../../kernel/live/followNames.js";
import { dropBinary, resetLive, takeSample, takeSchema } from "../../kernel/live/liveStore.js";
import { ApiFailure } from "../../kernel/server/api.js";
import { closedProject, projectStore } from "../../kernel/server/projectState.js";
import { resizePool } from "../../kernel/run/resizePool.js";
import { cancelTune, openTune, startTune, undoTune } from "./tuneActions.js";
import { tuneStore } from "./tuneStore.js";
import { schemaOf } from "../../testing/schemaOf.js";

/** A pool that does ten a second with each thread, of which 25 arrive. */
const world = vi.hoisted(() => ({
  threads: 1,
  t: 0,
  done: 0,
  sizes: [] as number[],
  /** What else is asked. */
  asked: [] as unknown[],
  /** Methods that are refused. */
  refused: [] as string[],
  projects: new Set<string | null | undefined>(),
}));
vi.mock("../../kernel/connection/commands.js", () => ({
  sendCommand: async (
    _binary: string,
    method: string,
    params: { threads: number },
    project?: string | null,
  ) => {
    const { threads } = params;
    if (world.refused.includes(method))
      throw new ApiFailure(409, "refused", "there is no room", "", [], null);
    if (method !== "pool.resize") return void world.asked.push([method, params]);
    world.threads = threads;
    world.projects.add(project);
    world.sizes.push(threads);
    return { asked: threads, actual: threads };
  },
}));

const schema = schemaOf({
  binary: "b",
  services: [{ id: 0, name: "S", kind: "simple", pool: 0, implementations: [], written: true }],
  pools: [
    { id: 0, name: "p", queue: 8, overflow: "block", idle: "park", priority: 0, threads: [{}].map(thread) },
  ],
});
function thread(): LiveSchema["pools"][number]["threads"][number] {
  return { name: "p-0", tid: 1, asked: [], actual: [0] };
}
function tick(): void {
  world.t += 100;
  world.done += Math.min(2.5, world.threads);
  const { t, done, threads } = world;
  takeSample("b", {
    type: "sample",
    t,
    seq: t,
    services: [[0, done, 0, 0, 0, 1, 1, 1, 1]],
    implementations: [],
    calls: [],
    flows: [],
    stages: [],
    pools: [[0, 0, 1, threads, 0]],
    threads: [],
    process: { cpuNs: 1, rssBytes: 1, threads: 1 },
  } as unknown as LiveSample);
}
/** Samples come until the search is over. */
async function searched(): Promise<void> {
  const search = startTune({ from: 1, to: 4, secondsAStep: 1 });
  const over = search.then(() => true);
  while (!(await Promise.race([over, Promise.resolve(false)]))) {
    tick();
    await Promise.resolve();
  }
}
/** What came so far is taken in. */
const heard = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const drawn = (): number =>
  threadCount(documentStore.getState().topology.binaries[0]?.pools[0]?.threads ?? []);

beforeEach(() => {
  Object.assign(world, { threads: 1, t: 0, done: 0, sizes: [], asked: [], refused: [], projects: new Set() });
  resetLive();
  takeSchema(schema);
  showDocument({
    projectId: "p",
    topology: topologySchema.parse({
      penstock: 1,
      name: "shop",
      binaries: [{ name: "b", pools: [{ name: "p", threads: [{}] }] }],
    }),
    layout: emptyLayout(),
    revision: "1",
    readOnly: false,
    readOnlyReason: "",
  });
  openTune("b", "p");
});

describe("tuning in the designer", () => {
  it("keeps the best size in what runs and draws it as one step; both can be taken back", async () => {
    await searched();
    const { phase, points } = tuneStore.getState();
    expect(phase).toMatchObject({ kind: "found", result: { before: 1, best: { threads: 3 } } });
    expect(points.length).toBeGreaterThan(2);
    expect(world.threads).toBe(3);
    expect(drawn()).toBe(3);
    expect(documentStore.getState().past).toHaveLength(1);
    await undoTune();
    expect(world.threads).toBe(1);
    expect(drawn()).toBe(1);
    expect(tuneStore.getState().phase).toMatchObject({ undone: true });
  });

  it("leaves the pool as it was when it is given up", async () => {
    const search = startTune({ from: 1, to: 4, secondsAStep: 60 });
    await Promise.resolve();
    tick();
    await Promise.resolve();
    cancelTune();
    tick();
    await search;
    expect(tuneStore.getState().phase).toEqual({ kind: "ended", reason: "Given up. p is as it was." });
    expect(world.sizes).toEqual([4, 1]);
    expect(documentStore.getState().past).toEqual([]);
  });

  it("gives the pool back its size in the project that it is of, whatever is open by then", async () => {
    projectStore.setState({ ...closedProject, project: "p" });
    const search = startTune({ from: 1, to: 4, secondsAStep: 60 });
    await Promise.resolve();
    tick();
    await Promise.resolve();
    projectStore.setState({ project: "another" });
    resetLive();
    await search;
    expect(world.sizes).toEqual([4, 1]);
    expect([...world.projects]).toEqual(["p"]);
  });

  it("says what it could not bring back", async () => {
    const search = startTune({ from: 1, to: 4, secondsAStep: 60 });
    await heard();
    world.refused = ["pool.resize"];
    cancelTune();
    await search;
    const reason = "Given up. p is not as it was: there is no room. Not brought back: 1 thread.";
    expect(tuneStore.getState().phase).toEqual({ kind: "ended", reason });
  });

  describe("of a pool whose threads come and go, which a rule names", () => {
    const threads = { from: 1, to: 8 };
    const rule = (of: string, preset: string, on = true) => ({
      ...{ of, forSeconds: 5, on, by: "drawing", preset: null, switches: 0, perSecond: 0 },
      below: { perSecond: 1, preset },
      above: { perSecond: 2, preset },
    });
    const asked = [
      ["pool.adapt", { pool: "p", adapt: true }],
      ["rule.set", { rule: "S", on: true }],
    ];
    beforeEach(() => {
      const adaptive = { ...threads, on: true, by: "drawing", steps: 0, waitedMs: 0 };
      takeSchema({
        ...schema,
        pools: schema.pools.map((pool) => ({ ...pool, adaptive })),
        rules: [rule("S", "named"), rule("T", "other"), rule("U", "named", false)],
      } as LiveSchema);
      edit("Draw bounds", (model) =>
        changeBinary(model, "b", (binary) => ({
          ...binary,
          pools: binary.pools.map((pool) => ({ ...pool, threads })),
          presets: ["named", "other"].map((name) => ({
            ...{ name, joins: [] },
            pools: [{ name: name === "named" ? "p" : "q", threads: [{}] }],
          })),
        })),
      );
    });

    it("lets both work again when it is given up", async () => {
      const search = startTune({ from: 1, to: 4, secondsAStep: 60 });
      await heard();
      cancelTune();
      await search;
      expect(world.sizes).toEqual([4, 1]);
      expect(world.asked).toEqual(asked);
      expect(tuneStore.getState().phase).toEqual({ kind: "ended", reason: "Given up. p is as it was." });
    });

    it("says which of them it could not", async () => {
      const search = startTune({ from: 1, to: 4, secondsAStep: 60 });
      await heard();
      world.refused = ["rule.set"];
      cancelTune();
      await search;
      const reason = "Given up. p is not as it was: there is no room. Not brought back: the rule of S.";
      expect(tuneStore.getState().phase).toEqual({ kind: "ended", reason });
    });

    it("draws the bounds again when what it found is taken back", async () => {
      await searched();
      const pool = () => documentStore.getState().topology.binaries[0]?.pools[0]?.threads;
      expect(pool()).toEqual([{}, {}, {}]);
      expect(world.asked).toEqual([]);
      await undoTune();
      expect(pool()).toEqual(threads);
      expect(world.threads).toBe(1);
      expect(world.asked).toEqual(asked);
    });
  });

  it("gives up though no figures come", async () => {
    const search = startTune({ from: 1, to: 4, secondsAStep: 60 });
    await Promise.resolve();
    cancelTune();
    await search;
    expect(world.sizes).toEqual([4, 1]);
    expect(tuneStore.getState().phase).toEqual({ kind: "ended", reason: "Given up. p is as it was." });
  });

  it("ends when the process crashes and begins anew", async () => {
    const search = startTune({ from: 1, to: 4, secondsAStep: 60 });
    for (const t of [500, 600, 0]) {
      await heard();
      world.t = t;
      tick();
    }
    await search;
    const reason = "b was started anew. p is as it was.";
    expect(tuneStore.getState().phase).toEqual({ kind: "ended", reason });
    expect(world.sizes).toEqual([4, 1]);
  });

  describe.each(["b", "server"])(
    "of a binary that runs as b and is drawn as server, asked as %s",
    (asked) => {
      beforeEach(() => {
        localStorage.clear();
        onTestFinished(followNames());
        projectStore.setState({ ...closedProject, project: "p", topologyHash: "sha256:1", revision: "1" });
        takeSchema({ ...schema, topologyHash: "sha256:1" });
        rename("binary:b", "server");
      });

      it("finds figures, and draws the size that it found", async () => {
        openTune(asked, "p");
        await searched();
        expect(tuneStore.getState().phase).toMatchObject({ kind: "found", result: { best: { threads: 3 } } });
        expect(drawn()).toBe(3);
        await undoTune();
        expect(drawn()).toBe(1);
      });

      it("draws the size that a card gives it", async () => {
        await resizePool(asked, "p", 2);
        expect(drawn()).toBe(2);
      });
    },
  );

  it("ends when the binary stops", async () => {
    const search = startTune({ from: 1, to: 4, secondsAStep: 60 });
    await Promise.resolve();
    tick();
    await Promise.resolve();
    dropBinary("b");
    await search;
    expect(tuneStore.getState().phase).toEqual({ kind: "ended", reason: "b has stopped. p is as it was." });
  });
});
