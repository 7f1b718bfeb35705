import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { Supervisor } from "../../src/run/index.js";
import { makeFake } from "../../src/run/testing/makeFake.js";
import { documentOf, Penstock } from "./penstock.js";

const penstock = new Penstock();
const stateHome = process.env["XDG_STATE_HOME"];
afterAll(async () => {
  process.env["XDG_STATE_HOME"] = stateHome;
  await penstock.cleanUp();
});

test("a load under which a binary crashed leaves the rate that it found to who starts it anew", async () => {
  process.env["XDG_STATE_HOME"] = path.join(penstock.folder, "state");
  const projectDir = penstock.project("fake", { penstock: 1, name: "fake" });
  const fake = await makeFake(path.join(penstock.folder, "bin"), { capacity: 10_000 });
  const supervisor = new Supervisor({ projectDir, binary: "app", ...fake });
  const found: object[] = [];
  supervisor.on("exit", (end) => found.push(end.found));
  const ready = () => new Promise((resolve) => supervisor.once("ready", resolve));
  const first = ready();
  supervisor.start();
  await first;
  try {
    // One that ends with the binary there gives the rate back, and nothing is left to give.
    const whole = await penstock.run(["load", "app", "--start", "300", "--step", "0", "--for", "1"]);
    expect(whole, whole.stderr).toMatchObject({ code: 0 });
    const second = ready();
    process.kill(supervisor.status.pid!, "SIGKILL");
    await second;

    const { child, ended } = penstock.start(["load", "app", "--start", "300", "--step", "0", "--json"]);
    const third = ready();
    let said = "";
    let isKilled = false;
    child.stderr?.on("data", (text: string) => {
      said += text;
      if (isKilled || !said.includes("300/s")) return;
      isKilled = true;
      process.kill(supervisor.status.pid!, "SIGKILL");
    });
    const { code, stdout, stderr } = await ended;
    expect(documentOf({ code, stdout, stderr })).toMatchObject({ outcome: "failed" });
    await third;
    expect(found).toEqual([{}, { Events: 100 }]);
  } finally {
    await supervisor.stop();
  }
});
