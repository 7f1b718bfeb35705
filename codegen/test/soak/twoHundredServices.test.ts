import { expect, test } from "vitest";
import { generateProject } from "../../src/pipeline.js";
import { buildProject, counter, startBinary, until, warningsIn } from "../support/build.js";
import { manyServices } from "../support/manyServices.js";
import { putTopology, temporaryFolder } from "../support/project.js";

/** Twenty files in one: there are 420 of them, which differ in numbers only. */
const UNITY = ["-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=20"];

test("200 services in 20 bundles are generated, build, run untouched, and stop on SIGTERM", async () => {
  using folder = temporaryFolder();
  putTopology(folder.path, manyServices(200, 20));
  expect(await generateProject(folder.path)).toMatchObject({ ok: true });
  expect(warningsIn(buildProject(folder.path, ["many-server"], UNITY))).toEqual([]);
  const running = await startBinary(folder.path, "many-server");
  await until(
    "every flow has failed as an untouched handler does",
    async () => (await counter(running.control, "penstock_flow_events_total", 'outcome="failed"')) >= 20,
  );
  expect(await running.stop()).toBe(0);
}, 900_000);
