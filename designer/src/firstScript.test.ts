import { expect, it } from "vitest";

/** The text of every file of the designer, by its path from here. */
const texts = import.meta.glob<string>("./**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

const IMPORT = /^(?:import|export)\s+(?!type\b)[^;]*?["']([^"']+)["'];/gms;

/** Every package, and every file of ours, that `file` brings along before it runs. */
function broughtBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, from = ""] of (texts[file] ?? "").matchAll(IMPORT)) {
    if (!from.startsWith(".")) found.add(from);
    else if (from.endsWith(".js")) {
      const base = `.${new URL(from, `file://${file.slice(1)}`).pathname.slice(0, -".js".length)}`;
      broughtBy(`${base}.tsx` in texts ? `${base}.tsx` : `${base}.ts`, found);
    }
  }
  return found;
}

it("begins without the editor, the charts, the arranger and the rules with C++'s names", () => {
  const brought = broughtBy("./main.tsx");
  // It did look.
  expect([...brought]).toEqual(expect.arrayContaining(["react-dom/client", "@xyflow/react"]));
  const late = /^(@codemirror|@lezer|uplot|elkjs|@penstock\/codegen\/validate)/;
  expect([...brought].filter((name) => late.test(name))).toEqual([]);
});
