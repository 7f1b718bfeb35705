import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BIN, Penstock } from "./cli/penstock.js";
import { BUILDS_TOGETHER } from "./support/build.js";
import { ownPort } from "./support/ownPort.js";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(path.join(repository, "docs/carving.md"), "utf8");
const textOf = (file: string): string => readFileSync(path.join(repository, file), "utf8");
/** What is shown of a language, block by block. */
const blocksOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, text]) => text ?? "",
  );

const SERVICE_PORT = String(ownPort("carving"));

test("the monolith has the versions that are tested here, and docs/carving.md the handler as it is", () => {
  const [monolith, codegen] = ["examples/carving/monolith", "codegen"].map(
    (folder) =>
      (JSON.parse(textOf(`${folder}/package.json`)) as { dependencies: Record<string, string> }).dependencies,
  );
  expect(codegen).toMatchObject(monolith!);
  const [handler, ...others] = blocksOf("cpp");
  expect(others).toEqual([]);
  expect(textOf("examples/carving/src/services/count.cpp")).toContain(handler);
});

describe("docs/carving.md", () => {
  const penstock = new Penstock();
  const { folder } = penstock;
  const dir = path.join(folder, "carving");
  const bin = path.join(folder, "bin");
  let monolith: { child: ChildProcess; address: string } | null = null;

  beforeAll(() => {
    mkdirSync(bin);
    symlinkSync(BIN, path.join(bin, "penstock"));
    // `npx penstock` of a clone is what lies beside it here.
    writeFileSync(path.join(bin, "npx"), '#!/bin/sh\nexec "$@"\n');
    chmodSync(path.join(bin, "npx"), 0o755);
    // For what `npm ci` fetches there.
    symlinkSync(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  });
  async function endMonolith(): Promise<void> {
    if (monolith === null) return;
    const { child } = monolith;
    monolith = null;
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  }
  afterAll(async () => {
    await endMonolith();
    await penstock.run(["stop", dir]);
    await penstock.cleanUp();
  });

  const env = {
    ...process.env,
    ...BUILDS_TOGETHER,
    PATH: `${bin}:${process.env["PATH"]}`,
    XDG_STATE_HOME: path.join(folder, "state"),
    XDG_RUNTIME_DIR: penstock.runtime,
    PENSTOCK_DRAIN_MS: "240000",
    PORT: "0",
    WITHIN_MS: "600000",
  };
  /** The same, at ports that nobody else has, with a second of load, and as patient as the test is. */
  const here = (commands: string): string =>
    commands
      .replaceAll("127.0.0.1:8090", `127.0.0.1:${SERVICE_PORT}`)
      .replaceAll("http://127.0.0.1:3000", monolith?.address ?? "")
      .replaceAll("--for 10 ", "--for 1 ")
      .replaceAll("--timeout 60 ", "")
      .replaceAll("--drain 60", "--drain 600 --timeout 600")
      .replaceAll("curl -s ", "curl -s -H 'Twirp-Timeout: 600000' ");

  /** A block that starts the monolith stands for a terminal of its own. */
  async function startMonolith(command: string): Promise<void> {
    await endMonolith();
    const child = spawn("bash", ["-c", `exec env ${command}`], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close").then(() => Promise.reject(new Error(`${command} ended`)));
    const [said] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
    ended.catch(() => undefined);
    const address = /^http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
    expect(address, said).toBeDefined();
    monolith = { child, address: address! };
  }

  const askMonolith = async (body: string): Promise<{ status: number; answer: unknown }> => {
    const answer = await fetch(`${monolith?.address}/Count`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return { status: answer.status, answer: await answer.json() };
  };

  test("has commands that work as they are written, to the end", async () => {
    const [first = "", ...blocks] = blocksOf("sh");
    const last = blocks.pop() ?? "";
    expect(blocks.length).toBeGreaterThan(5);
    const run = (commands: string): string => {
      const ended = spawnSync("bash", ["-euxc", here(commands)], { cwd: folder, env, encoding: "utf8" });
      expect(ended.status, `${ended.stdout}\n${ended.stderr}`).toBe(0);
      expect(ended.stderr).not.toContain("warning:");
      return ended.stdout;
    };
    run(first);
    const drawing = path.join(dir, "topology.json");
    writeFileSync(drawing, readFileSync(drawing, "utf8").replace(":8090", `:${SERVICE_PORT}`));
    let said = "";
    for (const block of blocks) {
      if (block.includes("node carving/monolith")) await startMonolith(here(block));
      else said += run(block);
    }
    // The monolith by itself, the service, and the monolith that asks it.
    expect(said.match(/"sum":\s*\d+/g)).toHaveLength(3);
    expect(said.match(/^20 sent, .*p95/gm)).toHaveLength(4);
    for (const [body, status, words] of [
      ['{"times": 5}', 200, "sum"],
      ['{"times": 0}', 400, "more than 0"],
      ['{"times": 21474837}', 400, "21474836 at most"],
      ['{"times": 1.5}', 400, "whole number"],
      ['{"times": 3000000000}', 400, "whole number"],
      ["{", 400, "JSON"],
    ] as const) {
      const asked = await askMonolith(body);
      expect(asked.status, body).toBe(status);
      expect(JSON.stringify(asked.answer)).toContain(words);
    }
    run(last);
    expect(await askMonolith('{"times": 5}')).toMatchObject({
      status: 502,
      answer: { error: expect.stringContaining("cannot be asked") },
    });
  }, 900_000);

  test("counts within the same bounds without the service", async () => {
    await startMonolith("node carving/monolith/app.mjs");
    expect(await askMonolith('{"times": 1}')).toMatchObject({ status: 200 });
    for (const times of [0, -1, 21_474_837])
      expect((await askMonolith(JSON.stringify({ times }))).status, String(times)).toBe(400);
  });

  test("is about an example whose handlers pass their own tests", () => {
    for (const [command, args] of [
      ["cmake", ["--build", "--preset", "release", "--target", "Tests"]],
      [path.join(dir, "build/release/Checks/carving_tests"), []],
    ] as const) {
      const { status, stdout } = spawnSync(command, args, { cwd: dir, env, encoding: "utf8" });
      expect(status, stdout).toBe(0);
    }
  }, 900_000);
});
