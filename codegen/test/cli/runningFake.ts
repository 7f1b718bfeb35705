import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { Supervisor } from "../../src/run/index.js";
import { makeFake } from "../../src/run/testing/makeFake.js";
import { Penstock, type Ended } from "./penstock.js";

/** The pretended binary `app` of a drawn project runs while the tests of a file do. */
export class RunningFake {
  readonly penstock = new Penstock();
  /** The project's folder. */
  dir = "";

  /** @param config what it is to do, see fakeBinary.mjs */
  static during(drawing: object, config: Record<string, unknown> = {}): RunningFake {
    const fake = new RunningFake();
    const stateHome = process.env["XDG_STATE_HOME"];
    let supervisor: Supervisor;
    beforeAll(async () => {
      process.env["XDG_STATE_HOME"] = path.join(fake.penstock.folder, "state");
      fake.dir = fake.penstock.project("fake", drawing);
      const binary = await makeFake(path.join(fake.penstock.folder, "bin"), config);
      supervisor = new Supervisor({ projectDir: fake.dir, binary: "app", ...binary, token: "t".repeat(43) });
      const ready = new Promise((resolve) => supervisor.once("ready", resolve));
      supervisor.start();
      await ready;
    });
    afterAll(async () => {
      await supervisor.stop();
      process.env["XDG_STATE_HOME"] = stateHome;
      await fake.penstock.cleanUp();
    });
    return fake;
  }

  /** `penstock` with arguments; `DIR` stands for the project's folder. */
  readonly run = (...args: string[]): Promise<Ended> =>
    this.penstock.run(args.map((arg) => (arg === "DIR" ? this.dir : arg)));
}
