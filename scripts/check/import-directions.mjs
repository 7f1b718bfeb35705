import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { ROOMS, CPP_ROOMS, PUBLIC_FOLDER, PUBLIC_HEADERS } from "./rooms.mjs";

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
    line: text.slice(0, match.index + match[0].length).split("\n").length,
  }));
}

const roomOf = (file) => ROOMS.find((room) => file === room.at || file.startsWith(`${room.at}/`));
const isForTests = (file) => file.includes("/testing/");
const isNode = (specifier) =>
  specifier.startsWith("node:") || builtinModules.includes(specifier.split("/")[0]);

function resolveTarget(file, specifier) {
  if (specifier.startsWith(".")) {
    return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)).replace(/\.js$/, ".ts");
  }
  const workspace = /^@penstock\/(codegen|designer)(?:\/(.*))?$/.exec(specifier);
  return workspace === null ? undefined : `${workspace[1]}/src/${workspace[2] ?? ""}`;
}

function checkTypeScript(root) {
  const violations = [];
  for (const file of filesBelow(root, "codegen", SOURCE).concat(
    filesBelow(root, "designer", SOURCE),
    filesBelow(root, "e2e", SOURCE),
  )) {
    const room = roomOf(file);
    if (room === undefined) continue;
    const test = /\.test\.tsx?$|\/test\//.test(file);
    for (const { specifier, line } of importsOf(readFileSync(path.join(root, file), "utf8"))) {
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
      const other = target === undefined ? undefined : roomOf(target);
      if (other === undefined || other === room) continue;
      if (room.may.includes(other.name) || (test && room.testsMay.includes(other.name))) {
        const index = `${other.at}/index.ts`;
        if (other.closed && target !== index && !isForTests(target))
          violations.push({ file, line, message: `${other.name} is used through its index: ${index}` });
        continue;
      }
      violations.push({
        file,
        line,
        message: `${room.name} must not import ${other.name}; it may import ${room.may.join(", ") || "no other room"}. ${room.instead}`,
      });
    }
  }
  return violations;
}

const includesOf = (text) =>
  [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]/gm)].map((match) => ({
    header: match[1],
    line: text.slice(0, match.index + match[0].length).split("\n").length,
  }));

function checkRuntime(root) {
  const violations = [];
  for (const file of filesBelow(root, "runtime-cpp/penstock", CPP)) {
    const [, , room] = file.split("/");
    const rule = CPP_ROOMS[room];
    if (rule === undefined) continue; // public headers at the top may reach into every room
    const test = /\.(test|bench)\.cpp$/.test(file);
    for (const { header, line } of includesOf(readFileSync(path.join(root, file), "utf8"))) {
      const other = /^penstock\/([a-z_]+)\//.exec(header)?.[1];
      if (other === undefined || other === room || CPP_ROOMS[other] === undefined) continue;
      if (rule.includes(other) || test) continue;
      violations.push({
        file,
        line,
        message: `${room} must not include ${header}; it may include ${rule.join(", ") || "no other room"}. Move the thing down a room, or let the higher room hand it in.`,
      });
    }
  }
  return violations;
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
  ...checkTypeScript(root),
  ...checkRuntime(root),
  ...checkGenerated(root),
];

/** How many files were looked at: a check that sees none must not pass. */
export const filesLookedAt = (root) =>
  ["codegen", "designer", "e2e"].flatMap((folder) => filesBelow(root, folder, SOURCE)).length +
  filesBelow(root, "runtime-cpp/penstock", CPP).length;
