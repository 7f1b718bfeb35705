import { expect, test } from "vitest";
import { timesPage } from "./page.mjs";

test("the page has median, spread and goal of each row, and where it was measured", () => {
  const page = timesPage({
    rows: [
      { what: "build", seconds: [3, 1, 2], goal: 2 },
      { what: "edit", seconds: [3, 1], goal: 1.5, missed: "It compiles." },
      { what: "read", seconds: [0.02] },
    ],
    machine: { cpu: "A processor", cores: 2, system: "Debian", node: "v20" },
    date: "2026-11-22T12:00:00.000Z",
  });
  expect(page).toContain("| build | 2.0 s | 1.0 s | 3.0 s | 3 | ✅ 2.0 s |");
  expect(page).toContain("| edit | 2.0 s | 1.0 s | 3.0 s | 2 | ❌ 1.5 s |");
  expect(page).toContain("| read | 20 ms | 20 ms | 20 ms | 1 |  |");
  expect(page).toContain("- **edit**: 2.0 s instead of 1.5 s. It compiles.");
  expect(page).not.toContain("- **build**");
  expect(page).toContain("| machine | A processor, 2 processors |");
  expect(page).toContain("2026-11-22T12:00:00.000Z");
});
