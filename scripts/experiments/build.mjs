import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { run } from "../setup/child.mjs";
import { buildJobs } from "../setup/jobs.mjs";
import { Obstacle } from "../setup/report.mjs";

/** What was made where somebody ran the example is made here. */
const MADE = new Set(["build", "generated"]);

/** Writes what differs alone, so that a second build finds nothing to do, and takes away what is gone from `owned` folders. */
function mirror(from, to, owned = []) {
  mkdirSync(to, { recursive: true });
  const entries = readdirSync(from, { withFileTypes: true }).filter(({ name }) => !MADE.has(name));
  for (const { name } of entries.filter((entry) => entry.isDirectory()))
    mirror(path.join(from, name), path.join(to, name));
  for (const { name } of entries.filter((entry) => !entry.isDirectory())) {
    const [bytes, target] = [readFileSync(path.join(from, name)), path.join(to, name)];
    if (!existsSync(target) || !readFileSync(target).equals(bytes)) writeFileSync(target, bytes);
  }
  for (const folder of owned)
    for (const name of readdirSync(path.join(to, folder)))
      if (!existsSync(path.join(from, folder, name)))
        rmSync(path.join(to, folder, name), { recursive: true });
}

/** Builds an application and the same by hand, in a project folder of its own; gives that folder. */
export async function buildApplication(root, folder, name, progress) {
  const [example, project] = [path.join(root, "examples", name), path.join(folder, name)];
  mirror(example, project, ["src", "by-hand"]);
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
