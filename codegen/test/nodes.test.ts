import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { buildProject as build } from "../src/build/index.js";
import { changeDrawing, generateProject, loadProject } from "../src/pipeline.js";
import {
  BUILDS_TOGETHER,
  buildProject,
  counter,
  counterIn,
  metricsOf,
  startBinary,
  TOGETHER,
  until,
  warningsIn,
} from "./support/build.js";
import { GOLDEN_FOLDER, temporaryFolder } from "./support/project.js";
import { OtherSide, SecureSide } from "./support/otherSide.js";

vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

/** Fails twice for each customer, then answers; its first test asks without a customer. */
const GET_QUOTE = `#include "services/get_quote.hpp"

#include <map>
#include <mutex>

namespace nodes {

Quote GetQuote::handle(const Order& request) {
  static std::mutex mutex;
  static std::map<std::string, int> asked;
  const std::lock_guard hold(mutex);
  if (!request.customer.empty() && ++asked[request.customer] < 3) {
    throw penstock::Error(penstock::ErrorCode::unavailable, "not yet");
  }
  return {request.cents};
}

}  // namespace nodes
`;

/** What becomes of requests to the other side: a status that is kept is no failure, any other is. */
const ASKED = [
  /^NotePosted: order \d*[02468] of a\/& b: 201 kept \d+$/m,
  /^NotePosted: order \d*[13579] of a\/& b: 503 busy$/m,
  /^NoteQuote: checked 7$/m,
  /^NoteFailure: fetch failed: the answer was 404: nobody$/m,
  /^NoteFailure: fetch failed: the answer is not what is wanted: \/cents: is many, not a whole number of 64 bits \(line 1, column \d+\)$/m,
  /^NoteFailure: fetch failed: http:\/\/127\.0\.0\.1:\d+: did not answer in time$/m,
  /^NoteFailure: fetch failed: a value makes a piece of the URL's path \.\.$/m,
];

interface Batch {
  list: { id: string; customer: string; cents: string }[];
}
/** The whole lines of what `Keep` has written so far. */
function batchesIn(dir: string): Batch[] {
  const file = `${dir}/orders.jsonl`;
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Batch);
}

const folder = temporaryFolder();
const dir = folder.path;
const other = new OtherSide();
const keys = temporaryFolder();
const secure = new SecureSide(keys.path);
afterAll(async () => {
  folder[Symbol.dispose]();
  keys[Symbol.dispose]();
  await Promise.all([other.close(), secure.close()]);
});

beforeAll(async () => {
  cpSync(`${GOLDEN_FOLDER}nodes`, dir, { recursive: true });
  const drawing = readFileSync(`${dir}/topology.json`, "utf8");
  const asked = drawing
    .replace("http://127.0.0.1:8080/checks", `https://${await secure.listen()}/checks`)
    .replaceAll("127.0.0.1:8080", await other.listen());
  const drawn = JSON.parse(asked) as { services: { node?: { type: string; settings: object } }[] };
  // Whoever draws no time is answered in ten seconds, unless this process, which answers, stands still.
  for (const { node } of drawn.services)
    if (node?.type === "http-request") node.settings = { timeoutMs: 600_000, ...node.settings };
  writeFileSync(`${dir}/topology.json`, JSON.stringify(drawn));
  expect((await generateProject(dir)).ok).toBe(true);
  writeFileSync(`${dir}/src/services/get_quote.cpp`, GET_QUOTE);
  expect(warningsIn(buildProject(dir, ["nodes", "Tests"], TOGETHER))).toEqual([]);
});

test("a service of one's own among standard nodes passes its first test", () => {
  expect(execFileSync(`${dir}/build/release/Checks/nodes_tests`, { encoding: "utf8" })).toContain("1 test.");
});

describe("the standard nodes in a running binary", () => {
  test("do what their pages say", async () => {
    const running = await startBinary(dir, "nodes", { SSL_CERT_FILE: secure.certificate });
    const done = (flow: string, stage: string): Promise<number> =>
      counter(running.control, "penstock_stage_events_total", `flow="${flow}",stage="${stage}"`);
    const ended = (flow: string, how: string): Promise<number> =>
      counter(
        running.control,
        "penstock_flow_events_total",
        `flow="${flow}",binary="nodes",outcome="${how}"`,
      );
    const requests = (service: string): Promise<number> =>
      counter(running.control, "penstock_requests_total", `service="${service}"`);
    const unquoted = (): Promise<number> =>
      counter(running.control, "penstock_errors_total", 'service="GetQuote"');
    // Unless it was so at its time once, it has to be waited for: busy machines let batches go on half full.
    const fullBatches = (): boolean => batchesIn(dir).some(({ list }) => list.length === 10);
    await until("events have come through every flow", async () => {
      const counts = [
        done("Pricing", "note"),
        done("Lanes", "failed"),
        done("Lanes", "rest"),
        done("Lanes", "sample"),
        done("Summing", "note"),
        done("Collecting", "keep"),
        requests("GetQuote"),
        done("Fetching", "checked"),
      ];
      const said = running.said();
      return (
        (await Promise.all(counts)).every((count) => count >= 6) &&
        (await done("Pricing", "big")) > 300 &&
        (await unquoted()) === 4 &&
        (await requests("GetQuote")) < (await done("Asking", "ask")) &&
        secure.requests.length >= 6 &&
        [...other.connections.values()].some((urls) => urls.length > 1) &&
        fullBatches() &&
        ASKED.every((line) => line.test(said))
      );
    });
    // The filter keeps nine of ten, and ends the others without failure.
    const now = await metricsOf(running.control);
    const [priced, big] = ["price", "big"].map((stage) =>
      counterIn(now, "penstock_stage_events_total", `flow="Pricing",stage="${stage}"`),
    ) as [number, number];
    expect(priced).toBeLessThan(big);
    expect(priced).toBeGreaterThan(big * 0.75);
    expect(await ended("Pricing", "failed")).toBe(0);
    // What is above the rate is dropped, or fails and is caught.
    expect(await ended("Lanes", "dropped")).toBe(0);
    // A customer's first request is asked three times, and each thread remembers the answer.
    const calls = await requests("GetQuote");
    expect(await unquoted()).toBe(4);
    expect(calls).toBeLessThan(await done("Asking", "ask"));
    expect(await counter(running.control, "penstock_errors_total", 'service="AskAgain"')).toBe(0);
    expect(await running.stop()).toBe(0);

    const said = running.said();
    expect(said).toMatch(/^Note: order \d+ of (ann|bob): (ann|bob) pays \d{3,4}$/m);
    expect(said).toMatch(
      /^NoteWhole: \{"code":8,"message":"above the rate limit","flow":"Lanes","stage":"guard"\}$/m,
    );
    // Events go on with the answer and what they had, those that failed do not.
    expect(said).not.toMatch(/^NotePosted: order \d+ of (b|e|slow|\.\.):/m);
    const asked = other.requests;
    expect(asked.find(({ url }) => url.startsWith("/quotes/a%2F"))).toMatchObject({
      method: "GET",
      url: expect.stringMatching(/^\/quotes\/a%2F%26%20b\?order=\d+$/),
      headers: { accept: "application/json" },
      body: "",
    });
    expect(asked.some(({ url }) => url.includes(".."))).toBe(false);
    const { body, ...post } = asked.find(({ method }) => method === "POST")!;
    expect(post).toMatchObject({ url: "/offers", headers: { "content-type": "application/json" } });
    expect(JSON.parse(body)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      customer: "a/& b",
      quote: { cents: "42" },
    });
    // Connections are kept: only those of requests that timed out are not used again.
    for (const urls of other.connections.values())
      expect(urls.slice(0, -1).filter((url) => url.startsWith("/quotes/slow"))).toEqual([]);

    // Over TLS they share one, and speak HTTP/2.
    for (const request of secure.requests)
      expect(request).toEqual({ version: "2.0", path: expect.stringMatching(/^\/checks\?id=\d*$/) });
    expect(secure.connections).toBe(1);

    const [totals] = /^NoteTotals: (.*)$/m.exec(said)?.slice(1) ?? [];
    expect(JSON.parse(totals ?? "")).toMatchObject({
      customer: expect.stringMatching(/^(ann|bob|eve)$/),
      orders: expect.stringMatching(/^\d+$/),
      mean: expect.any(Number),
    });
    expect(fullBatches()).toBe(true);
    for (const { id, customer, cents } of batchesIn(dir).flatMap(({ list }) => list)) {
      expect(Number(id)).toBeGreaterThan(0);
      expect(["ann", "bob", "eve"]).toContain(customer);
      expect(Number(cents) >= 1 && Number(cents) <= 1000).toBe(true);
    }
  });

  test("show what the compiler says about an expression at its setting", async () => {
    const { text, topology } = await loadProject(dir);
    const big = topology!.services.findIndex(({ name }) => name === "Big");
    topology!.services[big]!.node!.settings["condition"] = "request.cent >= 100";
    expect(await changeDrawing(dir, text!, topology!)).toBe(true);
    expect((await generateProject(dir)).ok).toBe(true);
    const { ok, problems } = await build({
      projectDir: dir,
      preset: "release",
      signal: new AbortController().signal,
      env: { ...process.env, ...BUILDS_TOGETHER },
    });
    expect(ok).toBe(false);
    expect(problems).toMatchObject([
      {
        code: "PS850",
        pointer: `/services/${big}/node/settings/condition`,
        node: "service:Big",
        message: expect.stringContaining("has no member named ‘cent’"),
      },
    ]);
  });
});
