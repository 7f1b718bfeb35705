import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { filesLookedAt, importViolations } from "./import-directions.mjs";

const repository = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
let root;
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), "penstock-directions-"))));
afterEach(() => rmSync(root, { recursive: true }));

const plant = (file, text) => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
};

describe("the import-direction check", () => {
  test.each([
    [
      "codegen/src/topology/a.ts",
      'import { run } from "../validate/run.js";',
      "topology must not import validate",
    ],
    ["codegen/src/render/a.ts", 'export * from "../write/disk.js";', "render must not import write"],
    [
      "codegen/src/plan/a.ts",
      'import type {\n  X,\n} from "../server/index.js";',
      "plan must not import server",
    ],
    [
      "codegen/src/build/a.ts",
      'const x = await import("../server/index.js");',
      "build must not import server",
    ],
    [
      "codegen/src/build/a.ts",
      'import { takeLock } from "../disk/lockFile.js";',
      "disk is used through its index",
    ],
    ["codegen/src/validate/a.ts", 'import { readFileSync } from "node:fs";', "validate is pure"],
    ["codegen/src/protocol/a.ts", 'import fs from "fs";', "protocol is pure"],
    ["designer/src/a.tsx", 'import { x } from "@penstock/codegen/plan";', "designer must not import plan"],
    [
      "designer/src/a.tsx",
      'import { x } from "../../codegen/src/server/index.js";',
      "designer must not import server",
    ],
    ["runtime-cpp/penstock/exec/a.hpp", "#include <penstock/call/frame.hpp>", "exec must not include"],
    ["runtime-cpp/penstock/metrics/a.cpp", '#include "penstock/exec/worker.hpp"', "metrics must not include"],
    ["templates/generated/messages.hpp.hbs", "#include <penstock/exec/worker.hpp>", "public headers only"],
    ["examples/ads/src/services/a.cpp", "# include <penstock/call/frame.hpp>", "public headers only"],
  ])("finds a planted violation in %s: %s", (file, text, message) => {
    plant(file, `${text}\n`);
    const found = importViolations(root);
    expect(found).toHaveLength(1);
    expect(found[0].file).toBe(file);
    expect(found[0].message).toContain(message);
  });

  test("lets the drawn directions pass", () => {
    plant("codegen/src/validate/a.ts", 'import type { Topology } from "../topology/index.js";\n');
    plant(
      "codegen/src/cli/a.ts",
      'import { startServer } from "../server/index.js";\nimport fs from "node:fs";\n',
    );
    plant("designer/src/a.tsx", 'import { schema } from "@penstock/codegen/topology";\n');
    plant("runtime-cpp/penstock/app/a.cpp", "#include <penstock/call/frame.hpp>\n#include <vector>\n");
    plant("templates/generated/messages.hpp.hbs", "#include <penstock/message.hpp>\n");
    expect(importViolations(root)).toEqual([]);
  });

  test("looks at the real house, and finds it in order", () => {
    expect(filesLookedAt(repository)).toBeGreaterThan(10);
    expect(importViolations(repository)).toEqual([]);
  });
});
