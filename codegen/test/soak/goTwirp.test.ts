import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { buildProject, QUICKLY, startBinary, type Running } from "../support/build.js";
import { drawExposedNodes } from "../support/exposedNodes.js";
import { temporaryFolder } from "../support/project.js";

/** Twirp's own generator, from before Go's modules had a version 8 of it. */
const TOOLS = [
  "google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.6",
  "github.com/twitchtv/twirp/protoc-gen-twirp@v8.1.3+incompatible",
];
const GO_MOD = `module penstock.test/nodes

go 1.21

require (
	github.com/twitchtv/twirp v8.1.3+incompatible
	google.golang.org/protobuf v1.36.6
)
`;

const folder = temporaryFolder();
let peer: ChildProcess | undefined;
let running: Running | undefined;
afterAll(() => {
  peer?.kill("SIGKILL");
  running?.child.kill("SIGKILL");
  folder[Symbol.dispose]();
});

/** The program in Go, made of what `proto` describes: without arguments the service, else its client. */
function buildPeer(dir: string, proto: string): string {
  const bin = path.join(dir, "bin");
  const env = { ...process.env, GOBIN: bin, PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}` };
  const run = (command: string, ...args: string[]): void =>
    void execFileSync(command, args, { cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] });
  mkdirSync(dir);
  writeFileSync(path.join(dir, "go.mod"), GO_MOD);
  copyFileSync(fileURLToPath(new URL("goTwirp/main.go", import.meta.url)), path.join(dir, "main.go"));
  for (const tool of TOOLS) run("go", "install", tool);
  run("protoc", `--proto_path=${path.dirname(proto)}`, "--go_out=.", "--twirp_out=.", path.basename(proto));
  run("go", "mod", "tidy");
  run("go", "build", "-o", "peer", ".");
  return path.join(dir, "peer");
}

test("Go's Twirp asks our services and is asked by them, with every code of an error", async () => {
  const dir = folder.path;
  await drawExposedNodes(dir, "http://127.0.0.1:1/twirp");
  const program = buildPeer(path.join(dir, "go"), path.join(dir, "generated/nodes/messages.proto"));
  peer = spawn(program, [], { stdio: ["ignore", "pipe", "inherit"] });
  const [address] = (await once(createInterface(peer.stdout!), "line")) as [string];
  await drawExposedNodes(dir, `http://${address}/twirp`, (service) => ({ method: `nodes.All/${service}` }));
  buildProject(dir, ["nodes"], QUICKLY);
  running = await startBinary(dir, "nodes");

  const said = execFileSync(program, [`http://${running.http}`], { encoding: "utf8" });
  const outcomes = said
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { text: string; cents: number[]; errors: Record<string, string[]> });
  // Once by protobuf, once by JSON; each through a node that asks by protobuf, and one that asks by JSON.
  expect(outcomes).toHaveLength(2);
  for (const { text, cents, errors } of outcomes) {
    expect(text).toBe("ann ä pays -21");
    expect(cents).toEqual([-42, -42]);
    for (const [code, told] of Object.entries(errors)) {
      const ours = { malformed: "invalid_argument", bad_route: "unimplemented" }[code];
      const wanted = ours === undefined ? `${code}: as asked` : `${ours}: ${code}: as asked`;
      expect(told, code).toEqual([wanted, wanted]);
    }
    expect(Object.keys(errors)).toHaveLength(18);
  }
  expect(await running.stop()).toBe(0);
});
