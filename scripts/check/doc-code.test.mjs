import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const repository = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const read = (file) => readFileSync(path.join(repository, file), "utf8");

test("what docs/handlers.md shows of C++ is compiled and run by a test", () => {
  const shown = [...read("docs/handlers.md").matchAll(/^```cpp\n([\s\S]*?)^```/gm)].map(([, code]) => code);
  expect(shown.length).toBeGreaterThan(0);
  const tested = ["coroutine/completion", "activation/local", "this_worker"]
    .map((name) => read(`runtime-cpp/penstock/call/${name}.test.cpp`))
    .join("\n");
  for (const code of shown) expect(tested).toContain(code);
});
