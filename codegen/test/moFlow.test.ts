import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentOf, Penstock } from "./cli/penstock.js";
import { BUILDS_SEPARATELY } from "./support/build.js";
import { ANSWERS, MARIADB, runReal, WIREMOCK } from "./support/realExample.js";

const penstock = new Penstock();
let dir: string;
beforeAll(async () => {
  dir = path.join(penstock.folder, "mo-flow");
  expect(await penstock.run(["init", dir, "--example", "mo-flow"])).toMatchObject({ code: 0 });
  const built = await penstock.run(["build", dir, "--json"], { env: BUILDS_SEPARATELY });
  expect(documentOf(built), built.stderr).toMatchObject({ ok: true, problems: [] });
});
afterAll(async () => {
  await penstock.run(["stop", dir]);
  await penstock.cleanUp();
});

test("the handlers of mo-flow pass their own tests", () => {
  const build = spawnSync("cmake", ["--build", "--preset", "release", "--target", "Tests"], {
    cwd: dir,
    encoding: "utf8",
  });
  expect(build.status, build.stdout).toBe(0);
  const tests = spawnSync(path.join(dir, "build/release/Checks/mo_flow_tests"), { encoding: "utf8" });
  expect(tests.status, tests.stdout).toBe(0);
});

test("with --real it asks MariaDB and WireMock, and leaves neither behind", async () => {
  const log = path.join(penstock.folder, "real.log");
  await runReal(penstock, "mo-flow", {
    dir,
    service: "LogTransaction",
    env: { MO_FLOW_LOG: log },
    asked: [MARIADB, WIREMOCK],
  });
  const lines = readFileSync(log, "utf8").trim().split("\n");
  expect(lines.length).toBeGreaterThan(ANSWERS);
  expect(new Set(lines.map((line) => line.split(" ")[1]))).toEqual(new Set(["200"]));
});
