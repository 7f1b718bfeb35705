import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { putTopology, temporaryFolder } from "../test/support/project.js";
import { drawing, service } from "../test/support/services.js";
import type { Topology } from "./model/topology/index.js";
import { describeSources, generateProject } from "./pipeline.js";

async function project(dir: string, services: object[]): Promise<Topology> {
  const topology = putTopology(dir, drawing(services, ["Other"]));
  const { ok, problems } = await generateProject(dir);
  expect([ok, problems]).toEqual([true, []]);
  return topology;
}

const start = (dir: string, name: string): string =>
  readFileSync(join(dir, `src/services/${name}.cpp`), "utf8");
const bodyOf = (text: string): string =>
  /\{\n((?: .*\n)*)\}\n/.exec(text.slice(text.indexOf("handle(")))?.[1]?.trimEnd() ?? "";

describe("a drawn call in a handler that nobody has written yet", () => {
  test("is asked, and its answer given back where the types fit", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Price"), service("Checkout")]);
    expect(bodyOf(start(folder.path, "checkout"))).toContain("throw_unimplemented");
    const drawn = await project(folder.path, [service("Price"), service("Checkout", { calls: ["Price"] })]);
    expect(bodyOf(start(folder.path, "checkout"))).toBe("  co_return co_await calls.Price(request);");
    const files = await describeSources(folder.path, drawn);
    expect(files.find(({ path }) => path === "src/services/checkout.cpp")?.written).toBe(true);
    expect(files.find(({ path }) => path === "src/services/price.cpp")?.written).toBe(false);
  });

  test("leaves what a user has written alone", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [service("Price"), service("Checkout")]);
    const mine = `${start(folder.path, "checkout")}// mine\n`;
    writeFileSync(join(folder.path, "src/services/checkout.cpp"), mine);
    await project(folder.path, [service("Price"), service("Checkout", { calls: ["Price"] })]);
    expect(start(folder.path, "checkout")).toBe(mine);
  });

  test.each([
    ["blocks in a sync-remote one", { kind: "sync-remote" }, {}, "  return calls.Price(request).get();"],
    [
      "is the whole of one without a response",
      { response: undefined },
      {},
      "  static_cast<void>(co_await calls.Price(request));",
    ],
    [
      "leaves an answer of another type to be made",
      {},
      { response: undefined },
      '  co_await calls.Price(request);\n  penstock::throw_unimplemented("Checkout");\n  co_return Word{};',
    ],
    [
      "leaves a request of another type to be filled",
      {},
      { request: "Other" },
      '  static_cast<void>(request);\n  Other price_request;\n  static_cast<void>(co_await calls.Price(price_request));\n  penstock::throw_unimplemented("Checkout");\n  co_return Word{};',
    ],
    [
      "is left out where it would come back for ever",
      {},
      { calls: ["Checkout"] },
      '  static_cast<void>(request);\n  penstock::throw_unimplemented("Checkout");\n  co_return Word{};',
    ],
  ])("%s", async (_what, caller, callee, body) => {
    using folder = temporaryFolder();
    await project(folder.path, [
      service("Price", callee),
      service("Checkout", { calls: ["Price"], ...caller }),
    ]);
    expect(bodyOf(start(folder.path, "checkout"))).toBe(body);
  });

  test("makes the answer last where others are asked too", async () => {
    using folder = temporaryFolder();
    await project(folder.path, [
      service("Price"),
      service("Audit", { response: undefined }),
      service("Checkout", { calls: ["Price", "Audit"] }),
    ]);
    expect(bodyOf(start(folder.path, "checkout"))).toBe(
      "  co_await calls.Audit(request);\n  co_return co_await calls.Price(request);",
    );
  });
});
