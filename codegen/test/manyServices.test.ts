import { expect, test } from "vitest";
import { generateProject } from "../src/pipeline.js";
import { manyServices } from "./support/manyServices.js";
import { putTopology, temporaryFolder } from "./support/project.js";

test("200 services in 20 bundles are generated whole; that they compile is a soak", async () => {
  using folder = temporaryFolder();
  putTopology(folder.path, manyServices(200, 20));
  const result = await generateProject(folder.path);
  expect(result).toMatchObject({ ok: true, problems: [] });
  const handlers = result.written.filter((path) => /^src\/services\/service_?\d+\.cpp$/.test(path));
  expect(handlers).toHaveLength(200);
});
