import { expect, it, onTestFinished, vi } from "vitest";
import codegen from "../../codegen/package.json" with { type: "json" };

/** The text of every file of the designer, and of codegen's that the browser may have, by its path from the top. */
const texts = new Map(
  Object.entries(
    import.meta.glob<string>(
      [
        "./**/*.{ts,tsx}",
        "../../codegen/src/{model,contract,imports,arrange,flame}/**/*.ts",
        "!**/*.test.{ts,tsx}",
      ],
      { query: "?raw", import: "default", eager: true },
    ),
  ).map(([file, text]) => [new URL(file, "file:///designer/src/").pathname, text]),
);

const IMPORT = /^(import|export)\s+(?!type\b)([^;"']*?)["']([^"']+)["'];/gms;

/** The file of ours that `from` is in `file`, or a package. */
function resolved(file: string, from: string): string {
  const room = /^@penstock\/codegen\/(.+)/.exec(from)?.[1];
  const entries: Record<string, string> = codegen.exports;
  if (room !== undefined) return new URL(entries[`./${room}`] ?? room, "file:///codegen/").pathname;
  if (!from.startsWith(".")) return from;
  const { pathname } = new URL(from.replace(/\.js$/, ".ts"), `file://${file}`);
  return texts.has(`${pathname}x`) ? `${pathname}x` : pathname;
}

/** What braces name, types left out; undefined: there are none. */
const namesIn = (words: string): { name: string; as: string }[] | undefined =>
  /\{(.*)\}/s
    .exec(words)?.[1]
    ?.split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "" && !word.startsWith("type "))
    .map((word) => word.split(" as "))
    .map(([name = "", as = name]) => ({ name, as }));

/** Every package, and every file of ours, that `first` brings along before it runs. */
function broughtBy(first: string): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const follow = (file: string, asked?: readonly string[]): void => {
    found.add(file);
    if (seen.has(`${file} ${asked?.join()}`)) return;
    seen.add(`${file} ${asked?.join()}`);
    for (const [, how, words = "", from = ""] of (texts.get(file) ?? "").matchAll(IMPORT)) {
      const to = resolved(file, from);
      const names = namesIn(words);
      // Codegen has no side effects: of what an index passes on comes what somebody asked for.
      const passes = how === "export" && file.startsWith("/codegen/");
      const wanted = names?.filter(({ as }) => !passes || (asked?.includes(as) ?? true));
      if (wanted?.length === 0 && to.startsWith("/codegen/")) continue;
      follow(
        to,
        wanted?.map(({ name }) => name),
      );
    }
  };
  follow(first);
  return [...found];
}

it("begins without the editor, the charts, the arranger and the rules with C++'s names", () => {
  const brought = broughtBy("/designer/src/main.tsx");
  // It did look, into codegen too.
  expect(brought).toEqual(expect.arrayContaining(["react-dom/client", "@xyflow/react", "zod"]));
  expect(brought).toContain("/codegen/src/model/topology/schema/schema.ts");
  expect(codegen.sideEffects).toBe(false);
  // Nor is there a file of ours behind which it did not look.
  expect(brought.filter((name) => /^\/.*\.tsx?$/.test(name) && !texts.has(name))).toEqual([]);
  const late = /^(@codemirror|@lezer|uplot|elkjs|\/codegen\/src\/model\/validate\/)/;
  expect(brought.filter((name) => late.test(name))).toEqual([]);
});

it("has told zod before it comes that it may make no functions of text", async () => {
  const [, first, ...then] = broughtBy("/designer/src/main.tsx");
  expect(first).toBe("/designer/src/early.ts");
  expect(then).toContain("zod");
  expect(broughtBy("/designer/src/early.ts")).not.toContain("zod");
  // Zod looks for its settings at this place, and does not replace what it finds there.
  const zod = import.meta.glob<string>("../../node_modules/zod/v4/core/core.js", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  expect(Object.values(zod)[0]).toContain(".__zod_globalConfig ?? (");
  vi.stubGlobal("__zod_globalConfig", undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  await import("./early.js");
  expect(Reflect.get(globalThis, "__zod_globalConfig")).toEqual({ jitless: true });
});
