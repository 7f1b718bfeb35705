import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sandboxObstacle } from "../../src/process/index.js";
import { until } from "../support/build.js";
import { documentOf, Penstock } from "./penstock.js";

const penstock = new Penstock();
let dir: string;

const demo = {
  penstock: 1,
  name: "demo",
  messages: [{ name: "Number", fields: [{ name: "value", type: "int32", tag: 1 }] }],
  services: [
    { name: "Twice", request: "Number", response: "Number" },
    { name: "Silent", request: "Number" },
    { name: "Picky", request: "Number", response: "Number" },
    { name: "Broken", request: "Number", response: "Number" },
    { name: "Fresh", request: "Number", response: "Number", implementations: ["Old", "New"] },
    { name: "Leaky", request: "Number", response: "Number" },
  ],
  bundles: [{ name: "All", services: ["Twice", "Silent", "Picky", "Broken", "Fresh", "Leaky"] }],
  binaries: [{ name: "demo-server", bundles: ["All"], pools: [{ name: "front", threads: [{}] }] }],
};

function write(service: string, body: string, include = ""): void {
  const file = path.join(dir, "src/services", `${service}.cpp`);
  const text =
    include + readFileSync(file, "utf8").replace(/\{[^{}]*throw_unimplemented[^{}]*\}/, `{ ${body} }`);
  writeFileSync(file, text);
}

/** While it is there, `Silent` does not return. */
const hold = (): string => path.join(dir, "hold");

/** Processes of this project's benchmark program, wherever they hang. */
const measuring = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [program = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return program.startsWith(dir) && program.endsWith("demo_benches");
      } catch {
        return false;
      }
    });

beforeAll(async () => {
  dir = penstock.project("demo", demo);
  expect(await penstock.run(["generate", dir, "--quiet"])).toMatchObject({ code: 0 });
  write("twice", "return {.value = request.value * 2};");
  const marker = JSON.stringify(path.join(dir, "marker"));
  const waits = `while (std::filesystem::exists(${JSON.stringify(hold())})) std::this_thread::yield();`;
  write(
    "silent",
    `static_cast<void>(request); ${waits} std::ofstream(${marker}) << 1;`,
    "#include <filesystem>\n#include <fstream>\n#include <thread>\n",
  );
  write(
    "picky",
    'static_cast<void>(request); throw penstock::Error(penstock::ErrorCode::not_found, "no such number");',
  );
  write("broken", "static_cast<void>(request); __builtin_trap();");
  write("fresh/old", "return request;");
  write(
    "leaky",
    "static_cast<void>(never_run().release()); return request;",
    "#include <penstock/service.hpp>\nstatic penstock::Task<void> never_run() { co_return; }\n",
  );
});
afterAll(() => penstock.cleanUp());

describe("penstock bench", () => {
  test("measures what can be measured and gives the reason of everything else", async () => {
    const ended = await penstock.run(["bench", dir, "--json"]);
    const document = documentOf(ended);
    const results = document["results"] as {
      service: string;
      median: number;
      min: number;
      max: number;
      left?: { calls: number; unanswered: number; blocks: number };
    }[];
    expect(results.map(({ service }) => service).toSorted()).toEqual(["Fresh", "Leaky", "Silent", "Twice"]);
    expect(results).toContainEqual(
      expect.objectContaining({ service: "Fresh", implementation: "Old", unit: "ns/call", runs: 5 }),
    );
    for (const { min, median, max } of results) {
      expect(min).toBeGreaterThan(0);
      expect(median).toBeGreaterThanOrEqual(min);
      expect(max).toBeGreaterThanOrEqual(median);
    }
    const said = document.problems.map(({ code, node, message }) => ({ code, node, message }));
    expect(said).toContainEqual({
      code: "PS881",
      node: "service:Fresh",
      message: "Fresh/New was not measured: its handler is not written yet",
    });
    expect(said).toContainEqual({
      code: "PS882",
      node: "service:Picky",
      message: "Picky was not measured: ended with an error: no such number",
    });
    expect(said).toContainEqual({
      code: "PS882",
      node: "service:Broken",
      message: expect.stringContaining("crashed (SIG"),
    });
    expect(document.ok).toBe(false);
    expect(ended.code).toBe(1);

    // One coroutine a call, and nothing where a handler leaves nothing.
    const leaky = results.find(({ service }) => service === "Leaky");
    const { calls = 0, blocks } = leaky?.left ?? {};
    expect(calls).toBeGreaterThan(0);
    expect(leaky?.left).toEqual({ calls, blocks: calls, unanswered: 0 });
    expect(results.filter(({ left }) => left !== undefined)).toEqual([leaky]);
    const hints = said.filter(({ code }) => code === "PS889");
    const frames = `${(blocks ?? 0).toLocaleString("en-US")} call frames, coroutine frames and messages`;
    expect(hints).toEqual([
      {
        code: "PS889",
        node: "service:Leaky",
        message: `Leaky left ${frames} behind after ${calls.toLocaleString("en-US")} calls`,
      },
    ]);
  });

  test("measures in the fence of builds: handlers write nothing into the project", async () => {
    if ((await sandboxObstacle()) !== "") return;
    expect(existsSync(path.join(dir, "marker"))).toBe(false);
  });

  test("shows people a table, and the change since the run before", async () => {
    const { code, stdout } = await penstock.run(["bench", dir, "--service", "Twice"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^benchmark\s+ns\/call\s+calls\/s\s+min\s+max\s+before$/m);
    expect(stdout).toMatch(/^Twice\s+[\d.,]+\s+[\d.,]+\s+[\d.,]+\s+[\d.,]+\s+(?:same|[+-]\d+ %)$/m);
    expect(stdout).not.toContain("Silent");
  });

  test("a handler that is not written yet is no failure", async () => {
    const ended = await penstock.run(["bench", dir, "--service", "Fresh", "--json"]);
    expect(ended.code).toBe(0);
    expect(documentOf(ended)).toMatchObject({ ok: true, problems: [{ code: "PS881", severity: "warning" }] });
  });

  test("a service that is not drawn is wrong usage", async () => {
    const { code, stderr } = await penstock.run(["bench", dir, "--service", "Twicce"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean Twice?");
  });

  test("nothing is built meanwhile; Ctrl-C ends it with 130 and leaves no process", async () => {
    writeFileSync(hold(), "");
    const { child, ended } = penstock.start(["bench", dir, "--service", "Silent", "--json"]);
    await new Promise<void>((resolve) => {
      child.stderr?.on("data", (text: string) => {
        if (text.includes("measuring")) resolve();
      });
    });
    const beside = await penstock.run(["build", dir, "--json"]);
    expect(beside.code).toBe(3);
    expect(documentOf(beside).problems).toMatchObject([{ code: "PS859" }]);
    await until("it measures", () => Promise.resolve(measuring().length > 0));
    child.kill("SIGINT");
    const end = await ended;
    expect(end.code).toBe(130);
    expect(documentOf(end)).toEqual({ ok: false, problems: [], results: [] });
    // Killed they are; the kernel takes them away when it comes to it.
    await until("nothing is left", () => Promise.resolve(measuring().length === 0));
    const left = readdirSync(path.join(dir, "build/release")).filter((name) => name.startsWith("bench-"));
    expect(left).toEqual([]);
  });
});
