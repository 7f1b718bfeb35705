import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateProject } from "../src/pipeline.js";
import { Penstock } from "./cli/penstock.js";
import { buildProject, TOGETHER, warningsIn } from "./support/build.js";
import { copyExample } from "./support/project.js";
import { ANSWERS, MARIADB, runReal, WIREMOCK } from "./support/realExample.js";

const SAMPLES = [
  { name: "ussd", binary: "ussd-server", tests: "ussd_tests", log: "USSD_LOG", asked: WIREMOCK },
  {
    name: "mobile-money",
    binary: "money-server",
    tests: "mobile_money_tests",
    log: "MONEY_LOG",
    asked: MARIADB,
  },
];

// What they do under load is the experiments' matter.
describe.each(SAMPLES)("the example $name", ({ name, binary, tests, log, asked }) => {
  const penstock = new Penstock();
  const dir = path.join(penstock.folder, name);
  beforeAll(async () => {
    copyExample(name, dir);
    penstock.trust(dir);
    expect((await generateProject(dir)).ok).toBe(true);
  });
  afterAll(async () => {
    await penstock.run(["stop", dir]);
    await penstock.cleanUp();
  });

  test("compiles without a warning, by hand too, and passes its tests", () => {
    const output = buildProject(dir, [binary, "Tests", "ByHand"], TOGETHER);
    expect(warningsIn(output)).toEqual([]);
    execFileSync(`${dir}/build/release/Checks/${tests}`, { stdio: "pipe" });
  });

  test("with --real it asks what is real, and leaves it not behind", async () => {
    const file = path.join(penstock.folder, "real.log");
    await runReal(penstock, name, { dir, service: "LogTransaction", env: { [log]: file }, asked: [asked] });
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.length).toBeGreaterThan(ANSWERS);
    const numbers = lines.map((line) => Number(line.split(" ")[0]));
    expect(new Set(numbers).size).toBe(lines.length);
  });
});
