import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { Penstock } from "../cli/penstock.js";

/** A flow `Ticks` whose events each keep a thread of the pool `front` for a while. */
export interface SlowProject {
  /** Of an event, in its only stage. */
  milliseconds: number;
  /** Its kind; left out: simple. */
  kind?: "sync-remote";
  perSecond: number;
  /** The pool, but for its name. */
  front: object;
}

/** Its folder, generated and with its handler written; it is not built. */
export async function slowProject(penstock: Penstock, slow: SlowProject): Promise<string> {
  const { milliseconds, kind = "simple", perSecond, front } = slow;
  const dir = penstock.project("demo", {
    penstock: 1,
    name: "demo",
    messages: [{ name: "Number", fields: [{ name: "value", type: "int32", tag: 1 }] }],
    services: [{ name: "Slow", request: "Number", response: "Number", kind }],
    flows: [
      {
        name: "Ticks",
        event: "Number",
        source: { kind: "rate", perSecond },
        stages: [{ id: "slow", service: "Slow", join: { pool: "front" } }],
      },
    ],
    bundles: [{ name: "All", services: ["Slow"], flows: ["Ticks"] }],
    binaries: [{ name: "demo-server", bundles: ["All"], pools: [{ name: "front", ...front }] }],
  });
  expect(await penstock.run(["generate", dir, "--quiet"])).toMatchObject({ code: 0 });
  const handler = path.join(dir, "src/services/slow.cpp");
  const text = readFileSync(handler, "utf8").replace(
    /\{[^{}]*throw_unimplemented[^{}]*\}/,
    `{ std::this_thread::sleep_for(std::chrono::milliseconds(${milliseconds})); return request; }`,
  );
  writeFileSync(handler, `#include <chrono>\n#include <thread>\n${text}`);
  return dir;
}
