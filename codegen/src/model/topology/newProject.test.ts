import { expect, test } from "vitest";
import { validateTopology } from "../validate/index.js";
import { newProject } from "./newProject.js";
import { parseTopology } from "./text/parse.js";
import { printTopology } from "./text/print.js";

test.each(["shop", "my_first_shop", "a".repeat(64)])("a new project %s has nothing wrong with it", (name) => {
  const { topology, problems } = parseTopology(printTopology(newProject(name)));
  expect([topology, problems]).toEqual([newProject(name), []]);
  expect(validateTopology(topology!)).toEqual([]);
  expect(topology!.binaries[0]?.bundles).toEqual([topology!.bundles[0]?.name]);
});
