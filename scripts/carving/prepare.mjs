import { copyFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { firstLine } from "../measure/machine.mjs";
import { run } from "../setup/child.mjs";
import { Obstacle } from "../setup/report.mjs";

/** What protoc makes Go of, in the versions that go.mod has. */
const PLUGINS = [
  "google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12",
  "github.com/twitchtv/twirp/protoc-gen-twirp@v8.1.3+incompatible",
];
const PACKAGE = "Mmessages.proto=penstock/carving/rpc";

/** Builds a copy of the example: its folder stays as it is. @throws {Obstacle} */
async function buildPenstock(root, progress) {
  const example = path.join(root, "examples", "carving");
  const project = path.join(root, "build", "carving", "project");
  const made = ["build", "generated", "node_modules"];
  cpSync(example, project, {
    recursive: true,
    preserveTimestamps: true,
    filter: (from) => !made.includes(path.basename(from)),
  });
  const penstock = path.join(root, "codegen", "bin", "penstock.mjs");
  const args = [penstock, "build", project, "--trust"];
  const { code, tail } = await run(process.execPath, args, { cwd: root, onLine: progress });
  if (code !== 0)
    throw new Obstacle(`the example cannot be built:\n${tail.slice(-40).join("\n")}`, "npm run setup");
  return project;
}

/** Builds the service in Go of the drawing's messages; gives its program, or why there is none. */
async function buildGo(root, project, progress) {
  const from = path.join(root, "scripts", "carving", "go");
  const folder = path.join(root, "build", "carving", "go");
  const [bin, rpc] = [path.join(folder, "bin"), path.join(folder, "rpc")];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(rpc, { recursive: true });
  for (const name of ["go.mod", "go.sum", "main.go"])
    copyFileSync(path.join(from, name), path.join(folder, name));
  const env = { GOBIN: bin, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  const out = ["go", "twirp"].flatMap((one) => [
    `--${one}_out=${rpc}`,
    `--${one}_opt=paths=source_relative,${PACKAGE}`,
  ]);
  const commands = [
    ...PLUGINS.map((plugin) => ["go", "install", plugin]),
    ["protoc", ...out, "-I", path.join(project, "generated/carving"), "messages.proto"],
    ["go", "build", "-o", path.join(bin, "counting"), "."],
  ];
  for (const [command, ...args] of commands) {
    const { code, tail } = await run(command, args, { cwd: folder, env, onLine: progress });
    if (code === 127) return { why: `${command} is not installed` };
    if (code !== 0) return { why: `${command} ${args[0]}: ${tail.slice(-3).join(" ")}` };
  }
  return { program: path.join(bin, "counting"), version: firstLine("go", ["version"]) };
}

/** Builds what is loaded; `missing` says what is left out, and why. @throws {Obstacle} */
export async function prepareSystems(root, progress) {
  const project = await buildPenstock(root, progress);
  const { why, ...go } = await buildGo(root, project, progress);
  return why === undefined
    ? { project, go, missing: [] }
    : { project, missing: [`The service in Go is left out: ${why}`] };
}
