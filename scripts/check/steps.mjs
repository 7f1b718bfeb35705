import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { run } from "../setup/child.mjs";
import { deadLinks, documentsOf, lostPaths } from "./doc-links.mjs";
import { filesLookedAt, importViolations } from "./import-directions.mjs";
import { checkFormat } from "./prettier.mjs";

/** @typedef {{ok: boolean, output: string}} Outcome  a fast check says ok, or why not */

/** What a generation and a build leave in an example that is run where it lies. */
const MADE = new Set(["build", "generated", "bench"]);

function filesBelow(folder, wanted, found = []) {
  if (!existsSync(folder)) return found;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!MADE.has(entry.name)) filesBelow(name, wanted, found);
    } else if (wanted.test(entry.name)) found.push(name);
  }
  return found;
}

async function tool(root, file, args) {
  const script = path.join(root, "node_modules", file);
  const { code, tail } = await run(process.execPath, [script, ...args], { cwd: root });
  return { ok: code === 0, output: tail.join("\n") };
}

/** What has not changed since it was checked last, by its content, is not checked again. */
const types = (project) => (root) =>
  existsSync(path.join(root, project))
    ? tool(root, "typescript/bin/tsc", [
        ...["-p", project, "--pretty", "false", "--incremental", "--tsBuildInfoFile"],
        path.join(root, "build", "types", `${project.replaceAll("/", "-")}.tsbuildinfo`),
      ])
    : Promise.resolve({ ok: false, output: `${project} is missing` });

function directions(root) {
  const found = importViolations(root);
  const looked = filesLookedAt(root);
  const lines = found.map((one) => `${one.file}:${one.line}: ${one.message}`);
  if (looked === 0) lines.push("no file was found to look at: the check itself is broken");
  return { ok: lines.length === 0, output: lines.join("\n") };
}

/** Dead links of the documents, and paths they name in code that are not there. */
function documents(root) {
  const read = documentsOf(root);
  const lines = [
    ...deadLinks(read).map(
      ({ file, target }) => `${path.relative(root, file)}: the link ${target} leads nowhere`,
    ),
    ...lostPaths(root, read).map(({ file, target }) => `${path.relative(root, file)}: there is no ${target}`),
  ];
  return { ok: lines.length === 0, output: lines.join("\n") };
}

async function clangFormat(root) {
  const files = ["runtime-cpp", "examples"].flatMap((room) =>
    filesBelow(path.join(root, room), /\.(hpp|cpp)$/),
  );
  if (files.length === 0) return { ok: true, output: "" };
  const { code, tail } = await run("clang-format-16", ["--dry-run", "-Werror", ...files], { cwd: root });
  if (code === 127)
    return { ok: true, output: "clang-format-16 is not installed: C++ formatting was not looked at" };
  return { ok: code === 0, output: tail.filter((line) => line.includes("error:")).join("\n") };
}

/** Every fast local check, cheap first; each finds its own fault and says where. */
export const CHECKS = [
  { name: "import directions", run: directions },
  { name: "documents (links and paths)", run: documents },
  { name: "format (prettier)", run: (root) => checkFormat(root) },
  { name: "format (clang-format)", run: clangFormat },
  {
    name: "lint (oxlint, type-aware)",
    run: (root) => tool(root, "oxlint/bin/oxlint", ["--type-aware", "--deny-warnings", "-f", "unix"]),
  },
  { name: "types: codegen", run: types("codegen/tsconfig.json") },
  { name: "types: pure rooms", run: types("codegen/tsconfig.pure.json") },
  { name: "types: designer", run: types("designer/tsconfig.json") },
  { name: "types: e2e", run: types("e2e/tsconfig.json") },
  { name: "dead code (knip)", run: (root) => tool(root, "knip/bin/knip.js", ["--no-progress"]) },
];
