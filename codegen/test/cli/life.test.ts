import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { sandboxObstacle } from "../../src/process/index.js";
import { documentOf, eventsOf, Penstock } from "./penstock.js";

const penstock = new Penstock();
let dir: string;

const demo = {
  penstock: 1,
  name: "demo",
  messages: [{ name: "Number", fields: [{ name: "value", type: "int32", tag: 1 }] }],
  services: [{ name: "Twice", request: "Number", response: "Number" }],
  flows: [
    {
      name: "Ticks",
      event: "Number",
      source: { kind: "rate", perSecond: 200 },
      stages: [{ id: "twice", service: "Twice", join: { pool: "front" } }],
    },
  ],
  bundles: [{ name: "All", services: ["Twice"], flows: ["Ticks"] }],
  binaries: [
    {
      name: "demo-server",
      bundles: ["All"],
      pools: [{ name: "front", threads: [{}] }],
      placement: { Twice: { pool: "front" } },
      presets: [
        {
          name: "still",
          pools: [{ name: "front", threads: 1 }],
          joins: [{ flow: "Ticks", stage: "twice", join: { pool: "front" } }],
        },
        {
          name: "busy",
          pools: [{ name: "front", threads: 4 }],
          joins: [{ flow: "Ticks", stage: "twice", join: { threads: 2 } }],
        },
      ],
      // The drawn rate is between the two.
      rules: [
        {
          of: "Ticks",
          below: { perSecond: 1, preset: "still" },
          above: { perSecond: 1000, preset: "busy" },
          // Longer than a busy machine keeps a thread waiting.
          forSeconds: 3,
        },
      ],
    },
  ],
};

interface Figures {
  pools: { node: string; threads: number }[];
  rules: Record<string, unknown>[];
}

/** So long for what is looked at again and again, far above what any of it takes. */
const patient = { timeout: 600_000, interval: 200 };

beforeAll(async () => {
  dir = penstock.project("demo", demo);
  expect(await penstock.run(["generate", dir, "--quiet"])).toMatchObject({ code: 0 });
  const handler = path.join(dir, "src/services/twice.cpp");
  writeFileSync(
    handler,
    readFileSync(handler, "utf8").replace(
      /\{[^{}]*throw_unimplemented[^{}]*\}/,
      "{ return {.value = request.value * 2}; }",
    ),
  );
});
afterAll(async () => {
  await penstock.run(["stop", dir]);
  await penstock.cleanUp();
});

describe("a project's life on the command line", () => {
  test("nothing is running yet: monitor and set say how to start it, stop is content", async () => {
    for (const args of [
      ["monitor", dir],
      ["set", dir, "pool.resize", "front", "2"],
    ]) {
      const { code, stderr } = await penstock.run(args);
      expect(code).toBe(3);
      expect(stderr).toContain("penstock run --detach");
    }
    expect(documentOf(await penstock.run(["stop", dir, "--json"]))).toEqual({
      ok: true,
      problems: [],
      stopped: [],
    });
  });

  test("build makes the binaries and names them", async () => {
    const ended = await penstock.run(["build", dir, "--json"]);
    expect(ended.code).toBe(0);
    expect(documentOf(ended)).toMatchObject({
      ok: true,
      binaries: [{ name: "demo-server", path: expect.stringMatching(/build\/release\/demo-server$/) }],
    });
  });

  test("a second generate writes nothing, a dry run lists what would change", async () => {
    expect(documentOf(await penstock.run(["generate", dir, "--json"]))).toMatchObject({
      written: [],
      removed: [],
    });
    const topology = path.join(dir, "topology.json");
    const before = readFileSync(topology, "utf8");
    writeFileSync(topology, before.replace('"value"', '"amount"'));
    const { code, stdout } = await penstock.run(["generate", dir, "--dry-run"]);
    writeFileSync(topology, before);
    expect(code).toBe(0);
    expect(stdout).toContain("would write generated/messages.hpp");
    expect(readFileSync(path.join(dir, "generated/messages.hpp"), "utf8")).toContain("value");
  });

  test("run --detach returns when it is ready; monitor shows rates; set answers asked and actual; stop drains", async () => {
    const started = await penstock.run(["run", dir, "--detach", "--json"]);
    expect(started.code).toBe(0);
    const [ready] = eventsOf(started.stdout);
    expect(ready).toMatchObject({
      event: "ready",
      binary: "demo-server",
      control: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      log: expect.stringMatching(/\/penstock\/logs\/demo-server-[0-9a-f]{8}\.log$/),
    });
    expect(readFileSync(String(ready?.["log"]), "utf8")).toContain('"ready"');

    const again = await penstock.run(["run", dir]);
    expect(again.code).toBe(3);
    expect(again.stderr).toContain("is running already");
    // And nothing was built for it first.
    expect(again.stderr).not.toMatch(/configuring|compiling/);

    // Of its first second a busy machine may have left it nothing.
    await vi.waitFor(async () => {
      const [sample] = eventsOf((await penstock.run(["monitor", dir, "--once", "--json"])).stdout);
      const nodes = sample?.["nodes"] as { node: string; callsPerSecond: number }[];
      expect(nodes.find(({ node }) => node === "service:Twice")?.callsPerSecond).toBeGreaterThan(0);
    }, patient);

    const table = (await penstock.run(["monitor", dir, "--once"])).stdout;
    expect(table).toMatch(/^node\s+served\/s\s+errors\/s\s+p50\s+p99\s+waited\s+ran\s+queue\s+busy$/m);
    expect(table).toMatch(/^Twice\s+\d/m);

    const set = await penstock.run(["set", dir, "pool.resize", "front", "3", "--json"]);
    expect(set.code).toBe(0);
    expect(documentOf(set)).toMatchObject({ ok: true, asked: 3, actual: 3 });

    for (const threads of ["0", "-1", "1000000000"]) {
      const refused = await penstock.run(["set", dir, "pool.resize", "front", threads, "--json"]);
      expect(refused.code).toBe(1);
      expect(documentOf(refused).problems[0]).toMatchObject({ code: "PS501" });
    }

    const stopped = documentOf(await penstock.run(["stop", dir, "--json"]));
    expect(stopped["stopped"]).toEqual([{ binary: "demo-server", pid: ready?.["pid"], graceful: true }]);
    await expect(fetch(`http://${String(ready?.["control"])}/healthz`)).rejects.toThrow();

    const { stdout } = await penstock.run(["run", dir, "--detach"]);
    expect(stdout).toMatch(/^demo-server runs \(.*, output in \/.*\/demo-server-[0-9a-f]{8}\.log\)$/m);
    expect(await penstock.run(["stop", dir])).toMatchObject({ code: 0 });
  });

  test("a rule brings the preset of its rate into force, says so, and heeds a person", async () => {
    const [ready] = eventsOf((await penstock.run(["run", dir, "--detach", "--json"])).stdout);
    const figures = async (): Promise<Figures> =>
      eventsOf((await penstock.run(["monitor", dir, "--once", "--json"])).stdout)[0] as unknown as Figures;
    const set = async (...words: string[]) =>
      expect(await penstock.run(["set", dir, ...words, "--quiet"])).toMatchObject({ code: 0 });
    const inForce = (preset: string, threads: number) =>
      vi.waitFor(async () => {
        const { pools, rules } = await figures();
        expect(rules).toMatchObject([{ of: "Ticks", preset }]);
        expect(pools.find(({ node }) => node.endsWith("/front"))).toMatchObject({ threads });
      }, patient);
    await set("source.set", "Ticks", "5000");
    await inForce("busy", 4);
    expect((await figures()).pools.find(({ node }) => node.endsWith("/Ticks.twice"))?.threads).toBe(2);
    expect((await penstock.run(["monitor", dir, "--once"])).stdout).toMatch(/^rule Ticks .* busy$/m);
    await set("source.set", "Ticks", "0");
    await inForce("still", 1);
    const [rule] = (await figures()).rules;
    expect(rule).toMatchObject({ on: true, by: "rule" });
    expect(rule?.["switches"]).toBeGreaterThanOrEqual(2);
    // Other processes bring what it says into the file.
    await vi.waitFor(() => {
      const said = readFileSync(String(ready?.["log"]), "utf8");
      expect(said).toMatch(/"event":"switched".*"rule":"Ticks","preset":"busy".*"result":"in force"/);
      expect(said).toMatch(/"rule":"Ticks","preset":"still","perSecond":[0-9.e-]+,"result":"in force"/);
    }, patient);

    await set("pool.resize", "front", "2");
    expect((await figures()).rules).toMatchObject([{ on: false, by: "person", preset: null }]);
    const again = await penstock.run(["set", dir, "rule.set", "Ticks", "on", "--json"]);
    expect(documentOf(again)).toMatchObject({ asked: true, actual: { on: true, preset: null } });
    await inForce("still", 1);
    expect(documentOf(await penstock.run(["set", dir, "rule.set", "Tick", "on", "--json"]))).toMatchObject({
      problems: [{ code: "PS762" }],
    });
    expect(await penstock.run(["stop", dir])).toMatchObject({ code: 0 });
  });

  test("a project from elsewhere runs behind the fence, and outlives whoever started it detached", async () => {
    penstock.trust(dir, false);
    onTestFinished(() => penstock.trust(dir));
    const [ready] = eventsOf((await penstock.run(["run", dir, "--detach", "--json"])).stdout);
    const mounts = (process: string): string => readlinkSync(`/proc/${process}/ns/mnt`);
    const fenced = mounts(String(ready?.["pid"])) !== mounts("self");
    expect(fenced).toBe((await sandboxObstacle()) === "");
    const { stopped } = documentOf(await penstock.run(["stop", dir, "--json"]));
    expect(stopped).toEqual([{ binary: "demo-server", pid: ready?.["pid"], graceful: true }]);
  });

  test("run supervises until Ctrl-C, which drains, reports the end and exits 130", async () => {
    const token = "t".repeat(43);
    const running = penstock.start(["run", dir, "--json"], { env: { PENSTOCK_CONTROL_TOKEN: token } });
    const ready = JSON.parse(await running.line('"ready"')) as { control: string };
    expect(ready).not.toHaveProperty("log");
    const answer = await fetch(`http://${ready.control}/metrics`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    running.child.kill("SIGINT");
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(eventsOf(stdout).at(-1)).toEqual({
      event: "exit",
      binary: "demo-server",
      code: 0,
      signal: null,
      restarts: 0,
    });
  });

  test("monitor follows a binary that crashed and was started anew", async () => {
    const running = penstock.start(["run", dir, "--json"]);
    let said = "";
    running.child.stdout?.on("data", (text: string) => (said += text));
    const started = () => eventsOf(said).filter(({ event }) => event === "ready");
    await vi.waitUntil(() => started().length === 1, patient);
    const watching = penstock.start(["monitor", dir, "--json"]);
    let seen = "";
    watching.child.stdout?.on("data", (text: string) => (seen += text));
    const threads = (): number | undefined =>
      (eventsOf(seen).at(-1) as unknown as Figures | undefined)?.pools.find(({ node }) =>
        node.endsWith("/front"),
      )?.threads;
    await vi.waitUntil(() => threads() === 1, patient);
    process.kill(started()[0]?.["pid"] as number, "SIGKILL");
    await vi.waitUntil(() => started().length === 2, patient);
    // Only the new one is told.
    expect(await penstock.run(["set", dir, "pool.resize", "front", "3"])).toMatchObject({ code: 0 });
    await vi.waitUntil(() => threads() === 3, patient);
    watching.child.kill("SIGINT");
    expect((await watching.ended).code).toBe(130);
    running.child.kill("SIGINT");
    expect((await running.ended).code).toBe(130);
  });

  test("a compiler error is a problem with file and line, on its node, and exit 1", async () => {
    const handler = path.join(dir, "src/services/twice.cpp");
    const before = readFileSync(handler, "utf8");
    writeFileSync(handler, before.replace("return", "retrun"));
    const ended = await penstock.run(["build", dir, "--json"]);
    writeFileSync(handler, before);
    expect(ended.code).toBe(1);
    expect(documentOf(ended).problems).toContainEqual(
      expect.objectContaining({
        severity: "error",
        file: "src/services/twice.cpp",
        node: "service:Twice",
        line: expect.any(Number),
      }),
    );
  });

  test("an unknown binary is named with what there is", async () => {
    const { code, stderr } = await penstock.run(["build", dir, "--binary", "demo-servre"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("demo-servre");
  });

  test("an edited generated file stops generate until --force", async () => {
    const file = path.join(dir, "generated/messages.hpp");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, `${before}// mine\n`);
    onTestFinished(() => writeFileSync(file, before));
    expect((await penstock.run(["generate", dir])).code).toBe(1);
    expect(readFileSync(file, "utf8")).toContain("// mine");
    expect((await penstock.run(["generate", dir, "--force"])).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("a build that is interrupted ends with 130", async () => {
    // Nobody writes into it: who compiles this waits for as long as he lives.
    execFileSync("mkfifo", [path.join(dir, "src/services/held.hpp")]);
    const handler = path.join(dir, "src/services/twice.cpp");
    writeFileSync(handler, `#include "held.hpp"\n${readFileSync(handler, "utf8")}`);
    const building = penstock.start(["build", dir, "--preset", "fastest"]);
    const compiling = new Promise<void>((resolve) =>
      building.child.stderr?.on("data", (text: string) => text.includes("compiling") && resolve()),
    );
    await Promise.race([compiling, building.ended]);
    building.child.kill("SIGINT");
    expect((await building.ended).code).toBe(130);
  });
});
