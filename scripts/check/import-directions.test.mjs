import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { filesLookedAt, importViolations, unusedGrants } from "./import-directions.mjs";

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
      "codegen/src/model/topology/a.ts",
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
      "which is past the index of disk",
    ],
    [
      "codegen/src/cli/a.ts",
      'const x = await import("../server/serverRegistry.js");',
      "let codegen/src/server/index.ts give it",
    ],
    ["codegen/src/model/validate/a.ts", 'import { readFileSync } from "node:fs";', "validate is pure"],
    ["codegen/src/contract/a.ts", 'import fs from "fs";', "contract is pure"],
    [
      "designer/src/kernel/ui/a.tsx",
      'import { x } from "@penstock/codegen/plan";',
      "kernel/ui must not import plan",
    ],
    [
      "designer/src/main.tsx",
      'import { x } from "../../codegen/src/server/index.js";',
      "entry must not import server",
    ],
    [
      "designer/src/kernel/server/a.ts",
      'import { x } from "../live/b.js";',
      "kernel/server must not import kernel/live",
    ],
    ["designer/src/kernel/live/a.ts", 'import type { X } from "../../drawing/b.js";', "moves down to it"],
    [
      "designer/src/registry/a.ts",
      'import { x } from "../features/bench/index.js";',
      "registry must not import features/bench",
    ],
    [
      "designer/src/features/bench/a.ts",
      'import { x } from "../load/index.js";',
      "features/bench must not import features/load",
    ],
    [
      "designer/src/features/bench/a.ts",
      'const x = await import("../load/b.js");',
      "bring it by a list of designer/src/registry/feature.ts",
    ],
    [
      "designer/src/features/bench/a.test.ts",
      'import { x } from "../load/b.js";',
      "features/bench must not import features/load",
    ],
    [
      "designer/src/features/bench/a.ts",
      'import { x } from "../../shell/App.js";',
      "features/bench must not import shell",
    ],
    [
      "designer/src/shell/a.ts",
      'import { x } from "../features/bench/BenchPanel.js";',
      "let designer/src/features/bench/index.ts give it",
    ],
    ["designer/src/drawing/a.ts", 'import { useEffect } from "react";', "free of React"],
    ["designer/src/drawing/a.ts", 'import { jsx } from "react/jsx-runtime";', "free of React"],
    [
      "designer/src/drawing/a.ts",
      'import { type Node, Position } from "@xyflow/react";',
      "must not import @xyflow/react",
    ],
    ["designer/src/drawing/a.tsx", "export const Shown = () => <p />;", "drawing has no JSX"],
    ["designer/src/canvas/a.ts", "export const x = 1;", "belongs to no room"],
    ["runtime-cpp/penstock/attic/a.hpp", "#pragma once", "attic is no room"],
    ["runtime-cpp/penstock/base/a.hpp", "#include <penstock/message/buffer.hpp>", "base must not include"],
    ["runtime-cpp/penstock/message/a.hpp", "#include <penstock/codec.hpp>", "message must not include"],
    ["runtime-cpp/penstock/error.hpp", "#include <penstock/service.hpp>", "error must not include"],
    ["runtime-cpp/penstock/exec/a.hpp", "#include <penstock/call/frame/frame.hpp>", "exec must not include"],
    ["runtime-cpp/penstock/metrics/a.cpp", '#include "penstock/exec/worker.hpp"', "metrics must not include"],
    ["runtime-cpp/penstock/call/frame/a.hpp", '#include "../await/b.hpp"', "write penstock/..."],
    ["runtime-cpp/penstock/exec/a.cpp", ' #include "../call/b.hpp"', "write penstock/..."],
    ["templates/generated/messages.hpp.hbs", "#include <penstock/exec/worker.hpp>", "public headers only"],
    ["examples/ads/src/services/a.cpp", "# include <penstock/call/frame/frame.hpp>", "public headers only"],
  ])("finds a planted violation in %s: %s", (file, text, message) => {
    plant(file, `${text}\n`);
    const found = importViolations(root);
    expect(found).toHaveLength(1);
    expect(found[0].file).toBe(file);
    expect(found[0].message).toContain(message);
  });

  test("lets the drawn directions pass", () => {
    plant("codegen/src/model/validate/a.ts", 'import type { Topology } from "../topology/index.js";\n');
    plant(
      "codegen/src/cli/a.ts",
      'import { startServer } from "../server/index.js";\nimport fs from "node:fs";\n',
    );
    plant("designer/src/kernel/ui/a.tsx", 'import { schema } from "@penstock/codegen/topology";\n');
    plant("designer/src/features/bench/a.ts", 'import { x } from "../../kernel/live/b.js";\n');
    plant("designer/src/features/bench/a.test.ts", 'import { x } from "../../testing/b.js";\n');
    plant("designer/src/shell/a.ts", 'import { x } from "../features/bench/index.js";\n');
    plant(
      "designer/src/drawing/a.ts",
      'import type {\n  Node,\n} from "@xyflow/react";\nimport { Position } from "@xyflow/system";\n',
    );
    plant("designer/src/main.tsx", 'import { x } from "./shell/App.js";\n');
    plant("runtime-cpp/penstock/codec.hpp", "#include <penstock/message/buffer.hpp>\n");
    plant("runtime-cpp/penstock/app/a.cpp", "#include <penstock/call/frame/frame.hpp>\n#include <vector>\n");
    plant("runtime-cpp/penstock/exec/a.stress.cpp", '#include "penstock/call/frame/frame.hpp"\n');
    plant("runtime-cpp/penstock/exec/a.test.cpp", '#include "support/gate.hpp"\n');
    plant("templates/generated/messages.hpp.hbs", "#include <penstock/message.hpp>\n");
    expect(importViolations(root)).toEqual([]);
  });

  test("follows what the drawing imports to the React that comes with it, unless its types alone are imported", () => {
    plant("designer/src/drawing/a.ts", 'import { b } from "./b.js";\n');
    plant("designer/src/drawing/b.ts", 'export const b = 1;\nimport { c } from "../kernel/live/c.js";\n');
    plant("designer/src/kernel/live/c.ts", 'export * from "../ui/index.js";\n');
    plant("designer/src/kernel/ui/index.ts", 'import type { Shown } from "./Shown.js";\n');
    plant("designer/src/kernel/ui/Shown.tsx", "export const Shown = () => <p />;\n");
    plant("designer/src/drawing/b.test.ts", 'import { Shown } from "../kernel/ui/Shown.js";\n');
    expect(importViolations(root)).toEqual([]);
    const way = "designer/src/drawing/b.ts > designer/src/kernel/live/c.ts > designer/src/kernel/ui/index.ts";
    for (const [brings, last] of [
      ['export { Shown } from "./Shown.js";', "designer/src/kernel/ui/Shown.tsx"],
      ['import { useStore } from "zustand";', "zustand"],
      ['import { Trash } from "lucide-react";', "lucide-react"],
      ['import { Handle } from "@xyflow/react";', "@xyflow/react"],
    ]) {
      plant("designer/src/kernel/ui/index.ts", `${brings}\n`);
      expect(importViolations(root)).toMatchObject([
        {
          file: "designer/src/drawing/b.ts",
          line: 2,
          message: expect.stringContaining(`must not reach ${last} when it runs (by ${way} > ${last})`),
        },
      ]);
    }
  });

  test("names a circle of rooms, and how many stand in one", () => {
    plant("designer/src/canvas/a.ts", 'import { x } from "../live/b.js";\n');
    plant("designer/src/live/b.ts", 'import { x } from "../tune/c.js";\n');
    plant("designer/src/tune/c.ts", 'import { x } from "../canvas/a.js";\n');
    const [circle] = importViolations(root).filter(({ message }) => message.includes("circle"));
    expect(circle).toMatchObject({ file: "designer/src/canvas/a.ts", line: 1 });
    expect(circle.message).toContain(
      "3 rooms stand in circles by their imports, such as designer/src/canvas -> designer/src/live -> designer/src/tune -> designer/src/canvas",
    );
  });

  test("names a circle of the folders in a room of the runtime, which tests may make", () => {
    plant("runtime-cpp/penstock/call/await/a.hpp", '#include "penstock/call/frame/b.hpp"\n');
    plant("runtime-cpp/penstock/call/frame/b.test.cpp", '#include "penstock/call/await/a.hpp"\n');
    expect(importViolations(root)).toEqual([]);
    plant("runtime-cpp/penstock/call/frame/b.cpp", '\n#include "penstock/call/await/a.hpp"\n');
    const [circle] = importViolations(root);
    expect(circle.message).toContain(
      "2 folders stand in circles by their includes, such as call/await -> call/frame -> call/await " +
        "(runtime-cpp/penstock/call/await/a.hpp:1, runtime-cpp/penstock/call/frame/b.cpp:2)",
    );
  });

  test("names a circle of folders that goes by way of what is in them", () => {
    plant("codegen/src/server/a/p/one.ts", 'import { x } from "../../b/q/two.js";\n');
    plant("codegen/src/server/b/r/three.ts", 'import { x } from "../../a/s/four.js";\n');
    const [circle] = importViolations(root);
    expect(circle.message).toContain(
      "such as codegen/src/server/a -> codegen/src/server/b -> codegen/src/server/a (",
    );
    plant("codegen/src/server/b/r/three.ts", "export const x = 1;\n");
    expect(importViolations(root)).toEqual([]);
  });

  test("counts the top of a room as a folder of it", () => {
    plant("runtime-cpp/penstock/call/frame/b.hpp", '#include "penstock/call/a.hpp"\n');
    expect(importViolations(root)).toEqual([]);
    plant("runtime-cpp/penstock/call/a.hpp", '#include "penstock/call/frame/b.hpp"\n');
    const [circle] = importViolations(root);
    expect(circle.message).toContain("such as call -> call/frame -> call (");
  });

  test("names a circle of the folders in a room, whose index is above them and whose tests may make one", () => {
    plant("codegen/src/server/app.ts", 'import { x } from "./routes/b.js";\n');
    plant("codegen/src/server/routes/b.ts", "export const x = 1;\n");
    plant("codegen/src/server/index.ts", 'export * from "./app.js";\n');
    plant("codegen/src/server/routes/b.test.ts", 'import { y } from "../app.js";\n');
    plant("codegen/src/server/testing/c.ts", 'import { y } from "../app.js";\n');
    plant("codegen/src/server/routes/d.test.ts", 'import { z } from "../testing/c.js";\n');
    expect(importViolations(root)).toEqual([]);
    plant("codegen/src/server/routes/b.ts", '\nimport type { Y } from "../app.js";\n');
    const [circle] = importViolations(root);
    expect(circle.message).toContain(
      "2 folders stand in circles by their imports, such as codegen/src/server -> codegen/src/server/routes -> codegen/src/server " +
        "(codegen/src/server/app.ts:1, codegen/src/server/routes/b.ts:2)",
    );
  });

  test("sees a header that lies beside its file, whatever it is called", () => {
    const file = "runtime-cpp/penstock/call/frame/b.cpp";
    plant(file, '#include "await/a.hpp"\n#include "b.hpp"\n');
    expect(importViolations(root)).toEqual([]);
    plant("runtime-cpp/penstock/call/frame/b.hpp", "#pragma once\n");
    expect(importViolations(root)).toMatchObject([{ file, line: 2 }]);
  });

  test("looks at the real house, and finds it in order", () => {
    expect(filesLookedAt(repository)).toBeGreaterThan(10);
    expect(importViolations(repository)).toEqual([]);
  });

  test("lets no room of codegen import what it does not", () => {
    expect(unusedGrants(repository)).toEqual([]);
  });
});
