import { appendFileSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { drawing, project, service } from "../test/support/services.js";
import { putTopology, temporaryFolder } from "../test/support/project.js";
import { followHandlers, generateProject } from "./pipeline.js";
import { addPendingRenames } from "./workspace/kept/pendingRenames.js";
import { placeOf } from "./workspace/index.js";

const CALL = "// calls.Price\nauto price = calls.Price(request);\n";

/** A project of `Ask`, which calls `Price` in its code, below `dir`. */
async function asking(dir: string): Promise<string> {
  const root = join(dir, "shop");
  mkdirSync(root);
  await project(root, [service("Ask", { calls: ["Price"] }), service("Price")]);
  appendFileSync(join(root, "src/services/ask.cpp"), CALL);
  return root;
}

describe("code beside the drawing", () => {
  test("has no problem as long as it names what is drawn", async () => {
    using folder = temporaryFolder();
    const root = await asking(folder.path);
    const topology = putTopology(root, drawing([service("Ask", { calls: ["Price"] }), service("Price")]));
    expect(await followHandlers(root, topology)).toEqual({ problems: [], changes: [] });
  });

  test("of a caller of a renamed service is named and offered under the new name", async () => {
    using folder = temporaryFolder();
    const root = await asking(folder.path);
    const topology = putTopology(root, drawing([service("Ask", { calls: ["Cost"] }), service("Cost")]));
    await addPendingRenames(
      placeOf(realpathSync(root)),
      [{ kind: "service", from: "Price", to: "Cost" }],
      undefined,
    );
    const found = await followHandlers(root, topology);
    const before = readFileSync(join(root, "src/services/ask.cpp"), "utf8");
    const place = {
      code: "PS710",
      severity: "warning",
      node: "service:Ask",
      file: "src/services/ask.cpp",
      line: before.split("\n").findIndex((line) => line.startsWith("auto price")) + 1,
      column: 20,
      help: "Change it to Cost in the handler.",
    };
    expect(found.problems).toContainEqual(expect.objectContaining(place));
    const after = before
      .split("\n")
      .map((line) => (line.trim().startsWith("//") ? line : line.replaceAll("calls.Price", "calls.Cost")))
      .join("\n");
    expect(found.changes).toContainEqual({ path: "src/services/ask.cpp", before, after });
    // A generation follows the rename and forgets it: what the only unnamed call means is still plain.
    await generateProject(root);
    expect((await followHandlers(root, topology)).problems).toContainEqual(expect.objectContaining(place));
  });

  test("that calls what is drawn elsewhere only is named, and not changed", async () => {
    using folder = temporaryFolder();
    const root = await asking(folder.path);
    const topology = putTopology(root, drawing([service("Ask"), service("Price")]));
    const { problems, changes } = await followHandlers(root, topology);
    expect(problems[0]).toMatchObject({
      message: "The code of Ask calls Price, which is not drawn as a call of it.",
      help: "Draw the call, or take it out of the handler.",
    });
    expect(changes).toEqual([]);
  });

  test("is not named while it is the start that a generation makes anew", async () => {
    using folder = temporaryFolder();
    const root = join(folder.path, "shop");
    mkdirSync(root);
    await project(root, [service("Ask", { calls: ["Price"] }), service("Price")]);
    const topology = putTopology(root, drawing([service("Ask"), service("Price")]));
    expect((await followHandlers(root, topology)).problems).toEqual([]);
  });

  test("of a service renamed itself is read where it still stands", async () => {
    using folder = temporaryFolder();
    const root = await asking(folder.path);
    const topology = putTopology(root, drawing([service("Query", { calls: ["Cost"] }), service("Cost")]));
    await addPendingRenames(
      placeOf(realpathSync(root)),
      [
        { kind: "service", from: "Ask", to: "Query" },
        { kind: "service", from: "Price", to: "Cost" },
      ],
      undefined,
    );
    const { problems } = await followHandlers(root, topology);
    expect(problems[0]).toMatchObject({ node: "service:Query", file: "src/services/ask.cpp" });
  });

  test("is not read through a link", async () => {
    using folder = temporaryFolder();
    const root = await asking(folder.path);
    const topology = putTopology(root, drawing([service("Ask"), service("Price")]));
    rmSync(join(root, "src/services/ask.cpp"));
    symlinkSync("/etc/passwd", join(root, "src/services/ask.cpp"));
    const { problems } = await followHandlers(root, topology);
    expect(problems.map(({ code, file }) => [code, file])).toEqual([["PS703", "src/services/ask.cpp"]]);
  });
});
