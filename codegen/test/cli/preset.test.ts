import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { documentOf } from "./penstock.js";
import { RunningFake } from "./runningFake.js";

/** As the fake binary is set when it starts. */
const drawing = {
  penstock: 1,
  name: "fake",
  messages: [{ name: "M" }],
  services: [
    { name: "GetAd", request: "M", response: "M" },
    { name: "LogAd", request: "M" },
  ],
  flows: [
    {
      name: "Events",
      event: "M",
      source: { kind: "rate", perSecond: 100 },
      stages: [
        { id: "get", service: "GetAd", join: { pool: "front" } },
        { id: "log", service: "LogAd", role: "side-effect" },
      ],
    },
  ],
  bundles: [{ name: "All", services: ["GetAd", "LogAd"], flows: ["Events"] }],
  binaries: [
    {
      name: "app",
      bundles: ["All"],
      pools: [
        { name: "front", threads: 2 },
        { name: "back", threads: 1 },
      ],
      placement: { GetAd: { pool: "front" } },
    },
  ],
};
const fake = RunningFake.during(drawing);
const { run } = fake;
const file = (): string => path.join(fake.dir, "topology.json");
const drawn = () => JSON.parse(readFileSync(file(), "utf8")) as typeof drawing;

describe("presets on the command line", () => {
  test("what runs is saved under a name, into the drawing and nowhere else in it", async () => {
    expect((await run("preset", "list", "DIR")).stderr).toContain("No preset yet");
    expect(await run("preset", "save", "DIR", "day")).toMatchObject({
      code: 0,
      stdout: "saved day of app: front 2, back 1\n",
    });
    const after = drawn();
    expect(after.binaries[0]).toMatchObject({
      presets: [
        {
          name: "day",
          pools: [
            { name: "front", threads: 2 },
            { name: "back", threads: 1 },
          ],
          joins: [
            { flow: "Events", stage: "get", join: { pool: "front" } },
            { flow: "Events", stage: "log" },
          ],
        },
      ],
    });
    expect({ ...after.binaries[0], presets: undefined }).toEqual(drawing.binaries[0]);
    expect((await run("validate", "DIR")).code).toBe(0);
  });

  test("a name is saved over only when that is asked for", async () => {
    const again = await run("preset", "save", "DIR", "day");
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain("app has a preset day already");
    expect((await run("preset", "save", "DIR", "day", "--force")).code).toBe(0);
    expect((await run("preset", "save", "DIR", "Day!")).stderr).toContain("for example day");
  });

  test("options of another action, and binaries that are not drawn, are refused", async () => {
    for (const [args, said] of [
      [["list", "DIR", "--binary", "nope"], "nope"],
      [["apply", "DIR", "day", "--force"], "preset apply has no option --force"],
      [["save", "DIR", "day", "--force", "--with", "day"], "preset save has no option --with"],
    ] as const) {
      const refused = await run("preset", ...args);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toContain(said);
    }
  });

  test("two are compared, and one is compared with what runs", async () => {
    expect((await run("set", "DIR", "pool.resize", "front", "5")).code).toBe(0);
    const set = await run("set", "DIR", "join.set", "Events", "log", "3");
    expect(set.stdout).toContain("asked 3 threads of its own");
    expect((await run("preset", "save", "DIR", "night")).stdout).toContain("own threads: log 3");
    const changes = ["front: 2 → 5 threads", "Events/log: no join → 3 threads of its own, queue 8"];
    const two = documentOf(await run("preset", "diff", "DIR", "night", "--with", "day", "--json"));
    expect(two).toMatchObject({ ok: true, from: "day", to: "night", changes });
    const running = await run("preset", "diff", "DIR", "day");
    expect(running.stdout).toBe(
      "front: 5 → 2 threads\nEvents/log: 3 threads of its own, queue 8 → no join\n",
    );
    expect((await run("preset", "diff", "DIR", "night")).stderr).toContain("night is the same as what runs.");
  });

  test("one is applied to what runs", async () => {
    expect(documentOf(await run("preset", "apply", "DIR", "day", "--json"))).toMatchObject({
      ok: true,
      changes: ["front: 5 → 2 threads", "Events/log: 3 threads of its own, queue 8 → no join"],
    });
    expect((await run("preset", "apply", "DIR", "day")).stderr).toContain("app runs like day already.");
  });

  test("one that is refused changes nothing and says why", async () => {
    const before = readFileSync(file(), "utf8");
    writeFileSync(file(), before.replace('"threads": 3, "queue": 8', '"threads": 1, "queue": 8'));
    expect(readFileSync(file(), "utf8")).not.toBe(before);
    const refused = await run("preset", "apply", "DIR", "night", "--json");
    expect(refused.code).toBe(1);
    expect(documentOf(refused).problems).toMatchObject([
      { code: "PS515", help: "Give the join more threads." },
    ]);
    expect((await run("preset", "diff", "DIR", "day")).stderr).toContain("day is the same as what runs.");
    writeFileSync(file(), before);
  });

  test("one becomes the drawing", async () => {
    expect((await run("preset", "draw", "DIR", "night")).stdout).toContain("front: 2 → 5 threads");
    const after = drawn();
    expect(after.binaries[0]?.pools[0]?.threads).toBe(5);
    expect(after.flows[0]?.stages[1]).toMatchObject({ join: { threads: 3, queue: 8 } });
    expect((await run("preset", "remove", "DIR", "night")).code).toBe(0);
    expect((await run("preset", "list", "DIR")).stdout).toBe("app day: front 2, back 1\n");
  });

  test.each([
    [["preset", "aply", "DIR", "day"], "Did you mean apply?"],
    [["preset", "apply", "DIR", "dya"], "Did you mean day?"],
    [["preset", "apply"], "Usage: penstock preset apply [PROJECT] NAME"],
    [["preset", "remove", "DIR", "day", "--binary", "apq"], "Did you mean app?"],
    [["run", "DIR", "--preset", "dya"], "Did you mean day?"],
  ])("%j is wrong usage: %s", async (args, words) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
