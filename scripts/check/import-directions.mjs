import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { circleIn } from "./circles.mjs";
import { ROOMS, CPP_ROOMS, PUBLIC_FOLDER, PUBLIC_HEADERS, PUBLIC_ROOMS } from "./rooms.mjs";

/** @typedef {{file: string, line: number, message: string}} Violation */

const SOURCE = /\.(ts|tsx|mts|mjs)$/;
const CPP = /\.(hpp|cpp|inl)$/;
const SKIPPED = new Set(["node_modules", "dist", "fixtures", "test-results"]);

function filesBelow(root, folder, wanted, found = []) {
  const absolute = path.join(root, folder);
  if (!existsSync(absolute)) return found;
  for (const entry of readdirSync(absolute, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue;
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) filesBelow(root, name, wanted, found);
    else if (wanted.test(entry.name)) found.push(name);
  }
  return found;
}

/** Import specifiers with their lines: static, side-effect, re-export, dynamic and type imports. */
function importsOf(text) {
  const pattern =
    /(?:^|[\n;}])\s*(?:import|export)\s[^"'`;]*?from\s*["']([^"']+)["']|(?:^|[\n;])\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;
  return [...text.matchAll(pattern)].map((match) => ({
    specifier: match[1] ?? match[2] ?? match[3],
    typesOnly: /^\W*(?:import|export)\s+type\b/.test(match[0]),
    line: text.slice(0, match.index + match[0].length).split("\n").length,
  }));
}

/** The room of a file, with its row; with `each`, and where nobody belongs, a folder is a room by its own name. */
function roomOf(file) {
  const row = ROOMS.find((one) => file === one.at || file.startsWith(`${one.at}/`));
  if (!row?.each && !row?.nobody) return row && { ...row, row: row.name };
  const [folder = ""] = file.slice(row.at.length + 1).split("/");
  return { ...row, row: row.name, name: `${row.name}/${folder}`, at: `${row.at}/${folder}` };
}
/** Its index, whichever way it is written, or what it has for tests. */
const isFace = (target, { at }) =>
  target === at || /^\/(?:index(?:\.[jt]s)?$|testing\/)/.test(target.slice(at.length));
/** The folder of a file in its room; the index of a room is above all of them. */
const folderOf = (file, { at }) =>
  /^\/index\.[jt]s$/.test(file.slice(at.length)) ? `${at}/index` : path.posix.dirname(file);
/** What a room has for tests. */
const TESTING = /\/testing\//;
const isNode = (specifier) =>
  specifier.startsWith("node:") || builtinModules.includes(specifier.split("/")[0]);

function resolveTarget(file, specifier) {
  if (specifier.startsWith(".")) {
    return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)).replace(/\.js$/, ".ts");
  }
  const workspace = /^@penstock\/(codegen|designer)(?:\/(.*))?$/.exec(specifier);
  if (workspace === null) return undefined;
  const room = workspace[1] === "codegen" ? ROOMS.find(({ name }) => name === workspace[2]) : undefined;
  return room === undefined ? `${workspace[1]}/src/${workspace[2] ?? ""}` : `${room.at}/index.ts`;
}

/** The source file that a target names: an import says `.js` whichever of these it is. */
const fileAt = (root, target) =>
  [target, target.replace(/\.ts$/, ".tsx"), `${target}/index.ts`].find(
    (file) => SOURCE.test(file) && existsSync(path.join(root, file)),
  );

/**
 * A shortest way by which what a file imports brings a package that its room is free of, when it runs: the files, then
 * the package. JSX brings React without an import.
 */
function wayTo(free, start, runTimeImports) {
  const ways = [[start]];
  const seen = new Set([start]);
  for (const way of ways) {
    const file = way.at(-1);
    if (file.endsWith(".tsx")) return way;
    for (const { specifier, next } of runTimeImports(file)) {
      if (free.packages.test(specifier) || free.values.test(specifier)) return [...way, specifier];
      if (next === undefined || seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

/** What files import when they run, and which file that is where it is one of the house; each is read once. */
function rememberedImports(root) {
  const known = new Map();
  return (file) => {
    if (known.has(file)) return known.get(file);
    const imports = importsOf(readFileSync(path.join(root, file), "utf8"))
      .filter(({ typesOnly }) => !typesOnly)
      .map(({ specifier }) => {
        const target = resolveTarget(file, specifier);
        return { specifier, next: target === undefined ? undefined : fileAt(root, target) };
      });
    known.set(file, imports);
    return imports;
  };
}

/** What goes against the table, and which room imports which, tests aside. */
function checkTypeScript(root) {
  const violations = [];
  const arrows = [];
  const folders = [];
  const runTimeImports = rememberedImports(root);
  for (const file of filesBelow(root, "codegen", SOURCE).concat(
    filesBelow(root, "designer", SOURCE),
    filesBelow(root, "e2e", SOURCE),
  )) {
    const room = roomOf(file);
    if (room === undefined) continue;
    if (room.nobody) violations.push({ file, line: 1, message: `${file} ${room.nobody}` });
    const test = /\.test\.tsx?$|\/test\//.test(file);
    if (room.free && !test && file.endsWith(".tsx"))
      violations.push({ file, line: 1, message: `${room.name} has no JSX. ${room.free.instead}` });
    for (const { specifier, typesOnly, line } of importsOf(readFileSync(path.join(root, file), "utf8"))) {
      if (isNode(specifier)) {
        if (room.pure && !test) {
          violations.push({
            file,
            line,
            message: `${room.name} is pure (the browser uses it): no ${specifier} here`,
          });
        }
        continue;
      }
      const target = resolveTarget(file, specifier);
      if (room.free?.packages.test(specifier) || (!typesOnly && room.free?.values.test(specifier))) {
        violations.push({
          file,
          line,
          message: `${room.name} must not import ${specifier}. ${room.free.instead}`,
        });
        continue;
      }
      const other = target === undefined ? undefined : roomOf(target);
      if (other === undefined) continue;
      if (other.name === room.name) {
        const [here, there] = [file, target].map((one) => folderOf(one, room));
        const [from, to] = parting(here, there);
        if (here !== there && !test && !TESTING.test(file)) folders.push({ from, to, file, line });
        continue;
      }
      const reached = room.free && !test && !typesOnly ? fileAt(root, target) : undefined;
      const way = reached && wayTo(room.free, reached, runTimeImports);
      if (way) {
        violations.push({
          file,
          line,
          message: `${room.name} must not reach ${way.at(-1)} when it runs (by ${[file, ...way].join(" > ")}). ${room.free.instead}`,
        });
      }
      if (!test) arrows.push({ from: room.name, to: other.name, file, line });
      if (room.nobody) continue;
      if (test && room.testsMay.includes(other.row)) continue;
      if (room.may.includes(other.row)) {
        if (!other.face || test || isFace(target, other)) continue;
        violations.push({
          file,
          line,
          message: `${room.name} must not import ${target}, which is past the index of ${other.name}: let ${other.at}/index.ts give it.`,
        });
        continue;
      }
      violations.push({
        file,
        line,
        message: `${room.name} must not import ${other.name}; it may import ${room.may.join(", ") || "no other room"}. ${room.instead}`,
      });
    }
  }
  return {
    violations: violations.concat(circle(arrows, "rooms", "imports"), circle(folders, "folders", "imports")),
    arrows,
  };
}

/** What the table lets rooms of codegen import, and none does: those of the designer it lets import all below. */
export function unusedGrants(root) {
  const { arrows } = checkTypeScript(root);
  const used = new Set(arrows.map(({ from, to }) => `${from} -> ${to}`));
  return ROOMS.filter(({ at }) => at.startsWith("codegen/"))
    .flatMap(({ name, may }) => may.map((other) => `${name} -> ${other}`))
    .filter((arrow) => !used.has(arrow));
}

/**
 * One violation for rooms or folders that stand in a circle, with the lines that close it.
 * @param {{from: string, to: string, file: string, line: number}[]} arrows
 */
function circle(arrows, what, how) {
  const found = circleIn(arrows.map(({ from, to }) => [from, to]));
  if (found === undefined) return [];
  const { path: way, count } = found;
  const steps = way
    .slice(1)
    .map((next, at) => arrows.find(({ from, to }) => from === way[at] && to === next));
  const [{ file, line }] = steps;
  const lines = [...new Set(steps.map((step) => `${step.file}:${step.line}`))].join(", ");
  return [
    {
      file,
      line,
      message: `${count} ${what} stand in circles by their ${how}, such as ${way.join(" -> ").replaceAll("/.", "")} (${lines}). What both need goes below them.`,
    },
  ];
}

/**
 * Of two folders the ones that part them: what is in a folder below the one that both are in counts for that, however deep.
 * `.` is that one's own files.
 */
export function parting(from, to) {
  const [one, other] = [from, to].map((folder) => folder.split("/"));
  let common = 0;
  while (common < Math.min(one.length, other.length) && one[common] === other[common]) common += 1;
  return [one, other].map((parts) =>
    parts.length === common ? `${parts.join("/")}/.` : parts.slice(0, common + 1).join("/"),
  );
}

const includesOf = (text) =>
  [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]/gm)].map((match) => ({
    quoted: match[1] === '"',
    header: match[2],
    line: text.slice(0, match.index + match[0].length).split("\n").length,
  }));

/** The room of a file below `penstock/`; a header at the top is the face of one. */
const cppRoomOf = (file) => (file.includes("/") ? file.split("/")[0] : (PUBLIC_ROOMS[file] ?? file));

/** The folder of a file in its room, or the room where the file is about the whole of it. */
const cppFolderOf = (file) => (file.includes("/") ? path.posix.dirname(file) : cppRoomOf(file));
/** What is in no library: tests, also those that `npm run soak` or the simulated world runs, and benchmarks. */
const CPP_TEST = /\.(test|bench|stress|model|counted|world)\.cpp$/;

/** Whether a compiler finds a header from the folder of the file that includes it. */
const isBeside = (root, file, header) =>
  header.startsWith(".") || existsSync(path.join(root, path.dirname(file), header));

/** A circle in the table would let one into the house. */
const tableArrows = Object.entries(CPP_ROOMS).flatMap(([room, may]) =>
  may
    .filter((other) => other !== room)
    .map((other) => ({ from: room, to: other, file: "scripts/check/rooms.mjs", line: 1 })),
);

function checkRuntime(root) {
  const violations = circle(tableArrows, "rooms", "rows");
  const folders = [];
  for (const file of filesBelow(root, "runtime-cpp/penstock", CPP)) {
    const within = file.slice("runtime-cpp/penstock/".length);
    const room = cppRoomOf(within);
    const rule = CPP_ROOMS[room];
    if (rule === undefined) {
      violations.push({
        file,
        line: 1,
        message: `${room} is no room that scripts/check/rooms.mjs knows: it gets a row there, with what it may include.`,
      });
      continue;
    }
    const test = CPP_TEST.test(file);
    for (const { quoted, header, line } of includesOf(readFileSync(path.join(root, file), "utf8"))) {
      if (quoted && isBeside(root, file, header)) {
        violations.push({
          file,
          line,
          message: `${header} is found from the folder of its file, where no direction is seen: write penstock/...`,
        });
        continue;
      }
      if (!header.startsWith("penstock/")) continue;
      const included = header.slice("penstock/".length);
      const other = cppRoomOf(included);
      if (other === room) {
        const [here, there] = [within, included].map(cppFolderOf);
        const [from, to] = parting(here, there);
        if (here !== there && !test) folders.push({ from, to, file, line });
        continue;
      }
      if (CPP_ROOMS[other] === undefined) continue;
      if (rule.includes(other) || test) continue;
      violations.push({
        file,
        line,
        message: `${room} must not include ${header}; it may include ${rule.join(", ") || "no other room"}. Move the thing down a room, or let the higher room hand it in.`,
      });
    }
  }
  return violations.concat(circle(folders, "folders", "includes"));
}

/** What the generator writes (templates and golden trees) sees the runtime's public headers only. */
function checkGenerated(root) {
  const violations = [];
  const files = filesBelow(root, "templates", /\.(hpp|cpp)(\.hbs)?$/).concat(
    filesBelow(root, "examples", CPP),
  );
  for (const file of files) {
    for (const { header, line } of includesOf(readFileSync(path.join(root, file), "utf8"))) {
      const runtime = /^penstock\/(.*)$/.exec(header)?.[1];
      if (runtime === undefined || PUBLIC_HEADERS.includes(runtime)) continue;
      if (runtime.startsWith(PUBLIC_FOLDER)) continue;
      violations.push({
        file,
        line,
        message: `generated and user code includes public headers only (${PUBLIC_HEADERS.join(", ")}), not ${header}`,
      });
    }
  }
  return violations;
}

/** All imports and includes below `root` that go against the house's directions. @returns {Violation[]} */
export const importViolations = (root) => [
  ...checkTypeScript(root).violations,
  ...checkRuntime(root),
  ...checkGenerated(root),
];

/** How many files were looked at: a check that sees none must not pass. */
export const filesLookedAt = (root) =>
  ["codegen", "designer", "e2e"].flatMap((folder) => filesBelow(root, folder, SOURCE)).length +
  filesBelow(root, "runtime-cpp/penstock", CPP).length;
