import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { documentOf, eventsOf, Penstock } from "./cli/penstock.js";
import { ownPort } from "./support/ownPort.js";
import { copyExample } from "./support/project.js";

/** The example buffers: megabytes to another process and back. How fast is the benchmarks' matter. */
const penstock = new Penstock();
const dir = path.join(penstock.folder, "buffers");
const PATIENTLY = ["--deadline", "60000"];
const patient = { timeout: 600_000, interval: 200 };
const env = { PENSTOCK_PATIENCE: "60", PENSTOCK_DRAIN_MS: "240000" };

/** The XOR of the words that the example fills a buffer with. */
function combined(bytes: number): string {
  let [word, all] = [1n, 0n];
  for (let at = 0; at < bytes; at += 8) {
    word = BigInt.asUintN(64, word * 6364136223846793005n + 1442695040888963407n);
    all ^= word;
  }
  return String(all);
}

/** Under the name of its transport as the lines have it. */
async function transport(): Promise<string | undefined> {
  const { stdout } = await penstock.run(["monitor", dir, "--once", "--json"]);
  const near = eventsOf<{ binary: string; links: { transport: string }[] }>(stdout).find(
    ({ binary }) => binary === "near",
  );
  return near?.links[0]?.transport;
}

beforeAll(async () => {
  copyExample("buffers", dir);
  penstock.trust(dir);
  const built = await penstock.run(["build", dir]);
  expect(built.stderr).not.toContain("warning");
  expect(built.code).toBe(0);
}, 900_000);
afterAll(async () => {
  await penstock.run(["stop", dir]);
  await penstock.cleanUp();
});

test("the handlers of buffers pass their own tests", () => {
  for (const [command, args] of [
    ["cmake", ["--build", "--preset", "release", "--target", "Tests"]],
    [path.join(dir, "build/release/Checks/buffers_tests"), []],
  ] as const) {
    const { status, stdout } = spawnSync(command, args, { cwd: dir, encoding: "utf8" });
    expect(status, stdout).toBe(0);
  }
}, 900_000);

test.each([
  ["shm", undefined],
  ["tcp", [`tcp://127.0.0.1:${ownPort("buffers")}`]],
])(
  "buffers come back as they went, over %s",
  async (over, listen) => {
    const file = path.join(dir, "topology.json");
    const drawn = JSON.parse(readFileSync(file, "utf8")) as {
      binaries: { name: string; listen?: string[] }[];
    };
    const far = drawn.binaries.find(({ name }) => name === "far")!;
    if (listen !== undefined) far.listen = listen;
    writeFileSync(file, JSON.stringify(drawn));
    const started = await penstock.run(["run", dir, "--detach"], { env });
    expect(started.code, started.stderr).toBe(0);
    for (const way of ["WAY_HANDED", "WAY_COPIED", "WAY_READ"]) {
      const job = JSON.stringify({ megabytes: 3, rounds: 2, way });
      // However late a busy machine lets the one find the other.
      const called = await vi.waitFor(async () => {
        const ended = await penstock.run([
          "call",
          "near/Measure",
          job,
          ...PATIENTLY,
          "--project",
          dir,
          "--json",
        ]);
        expect(ended.code, ended.stdout).toBe(0);
        return ended;
      }, patient);
      const { combined: all } = documentOf(called)["answer"] as { combined?: string };
      expect(all).toBe(way === "WAY_READ" ? combined(3_000_000) : undefined);
    }
    await vi.waitFor(async () => expect(await transport()).toBe(over), patient);
    expect((await penstock.run(["stop", dir])).code).toBe(0);
  },
  900_000,
);
