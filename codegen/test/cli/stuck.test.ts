import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { Penstock } from "./penstock.js";

const penstock = new Penstock();
afterAll(() => penstock.cleanUp());

const demo = {
  penstock: 1,
  name: "demo",
  messages: [{ name: "Number", fields: [{ name: "value", type: "int32", tag: 1 }] }],
  services: [{ name: "Stands", request: "Number", kind: "sync-remote" }],
  flows: [
    {
      name: "Ticks",
      event: "Number",
      source: { kind: "rate", perSecond: 20 },
      stages: [{ id: "stand", service: "Stands", role: "side-effect" }],
    },
  ],
  bundles: [{ name: "All", services: ["Stands"], flows: ["Ticks"] }],
  binaries: [
    {
      name: "demo-server",
      bundles: ["All"],
      watchdogMs: 300,
      // Several, as one that the machine keeps waiting does not tell its stack in time.
      pools: [{ name: "front", threads: 24 }],
      placement: { Stands: { pool: "front" } },
    },
  ],
};

interface Sample {
  nodes: { node: string; stuckMs: number }[];
}

test("row 42: a stuck handler is marked by monitor, and its stack names functions of its own file only", async () => {
  const dir = penstock.project("demo", demo);
  expect(await penstock.run(["generate", dir, "--quiet"])).toMatchObject({ code: 0 });
  const handler = path.join(dir, "src/services/stands.cpp");
  writeFileSync(
    handler,
    readFileSync(handler, "utf8")
      .replace(
        "namespace demo {\n",
        [
          "#include <unistd.h>",
          "namespace demo {",
          "namespace {",
          "[[gnu::noinline]] void stand_still() {",
          "  while (true) pause();",
          "}",
          "}  // namespace",
          "",
        ].join("\n"),
      )
      .replace(/penstock::throw_unimplemented[^;]*;/, "stand_still();"),
  );
  const running = penstock.start(["run", dir]);
  const said = new Promise<string>((resolve, reject) => {
    let log = "";
    for (const stream of [running.child.stdout, running.child.stderr]) {
      stream?.on("data", (text: string) => {
        log += text;
        if (/#\d+ demo::Stands::handle/.test(log)) resolve(log);
      });
    }
    void running.ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)));
  });
  const log = await said;
  expect(log).toContain("watchdog: Stands has kept thread front-");
  expect(log).toMatch(
    /#\d+ demo::\(anonymous namespace\)::stand_still\(\)\+0x[\da-f]+ \(demo-server\+0x[\da-f]+\)/,
  );

  const { stdout } = await penstock.run(["monitor", dir, "--once", "--json"]);
  const { nodes } = JSON.parse(stdout) as Sample;
  expect(nodes.find(({ node }) => node === "flow:Ticks")?.stuckMs).toBe(0);
  expect(nodes.find(({ node }) => node === "service:Stands")?.stuckMs).toBeGreaterThan(300);
  expect((await penstock.run(["monitor", dir, "--once"])).stdout).toMatch(/^Stands\s.* {2}stuck \d+ s$/m);

  running.child.kill("SIGINT");
  await running.ended;
});
