import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { run } from "../setup/child.mjs";
import { buildJobs } from "../setup/jobs.mjs";
import { Obstacle } from "../setup/report.mjs";

/** Copies what differs and removes what is gone, so that a second build finds nothing to do. */
function mirror(from, to) {
  mkdirSync(to, { recursive: true });
  // What was made there, where somebody ran it, is made here.
  const entries = readdirSync(from, { withFileTypes: true }).filter(
    ({ name }) => name !== "build" && name !== "generated",
  );
  for (const entry of entries) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) {
      mirror(source, target);
      continue;
    }
    const bytes = readFileSync(source);
    if (!existsSync(target) || !readFileSync(target).equals(bytes)) writeFileSync(target, bytes);
  }
  return new Set(entries.map(({ name }) => name));
}

/** Builds an application and the same by hand, in a project folder of its own; gives that folder. */
export async function buildApplication(root, folder, { name }, progress) {
  const project = path.join(folder, name);
  mirror(path.join(root, "examples", name), project);
  for (const owned of ["src", "by-hand"]) {
    const from = path.join(root, "examples", name, owned);
    for (const entry of readdirSync(path.join(project, owned)))
      if (!existsSync(path.join(from, entry))) rmSync(path.join(project, owned, entry), { recursive: true });
  }
  const penstock = path.join(root, "codegen", "bin", "penstock.mjs");
  for (const [command, args] of [
    [process.execPath, [penstock, "build", project, "--trust"]],
    ["cmake", ["--build", "--preset", "release", "--target", "ByHand", "--", `-j${buildJobs()}`]],
  ]) {
    const { code, tail } = await run(command, args, { cwd: project, onLine: progress });
    if (code !== 0)
      throw new Obstacle(`${name} cannot be built:\n${tail.slice(-40).join("\n")}`, "npm run setup");
  }
  return project;
}
