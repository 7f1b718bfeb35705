import { execFile, execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { generateProject } from "../src/pipeline.js";
import {
  buildProject,
  CHECKS_TOGETHER,
  compileMessages,
  counter,
  runTool,
  startBinary,
  until,
  warningsIn,
} from "./support/build.js";
import { copyExample, GOLDEN_FOLDER, temporaryFolder } from "./support/project.js";

// Two cores that others use too: compiling takes what it takes.
vi.setConfig({ testTimeout: 900_000 });

const ROUND_TRIP = fileURLToPath(new URL("./support/round_trip.cpp", import.meta.url));

/** What the line with curl in docs/http.md prints, the example's own address in it. */
async function askedByCurl(address: string | null): Promise<string> {
  const page = readFileSync(fileURLToPath(new URL("../../docs/http.md", import.meta.url)), "utf8");
  const [, line = ""] = /^```sh\n(curl .*)\n```/m.exec(page) ?? [];
  expect(line).toContain("127.0.0.1:8080");
  // On a busy machine no model answers within its 100 ms: then it says so, and is asked again.
  let said = "";
  await until("the line with curl is answered", async () => {
    const command = line.replace("127.0.0.1:8080", address ?? "none");
    ({ stdout: said } = await promisify(execFile)("bash", ["-c", command]));
    return !/"(unavailable|deadline_exceeded|resource_exhausted)"/.test(said);
  });
  return said;
}

describe.each([
  ["hello", "hello", "Multiplication"],
  ["ads", "ads-server", "GetAd"],
])("example %s", (name, binary, service) => {
  test("compiles without a warning, passes its tests, runs, and stops on SIGTERM", async () => {
    using folder = temporaryFolder();
    copyExample(name, folder.path);
    expect((await generateProject(folder.path)).ok).toBe(true);
    expect(warningsIn(buildProject(folder.path, [binary, "Tests", "Benches"], CHECKS_TOGETHER))).toEqual([]);
    execFileSync(`${folder.path}/build/release/Checks/${name}_tests`, { stdio: "pipe" });
    const running = await startBinary(folder.path, binary);
    const count = (what: string): Promise<number> =>
      counter(running.control, `penstock_${what}_total`, `service="${service}"`);
    // GetAd gives its models 100 ms, in which a busy machine lets none answer.
    await until(`${service} answers`, async () => (await count("requests")) - (await count("errors")) > 20);
    if (name === "hello") expect(await count("errors")).toBe(0);
    else expect(JSON.parse(await askedByCurl(running.http))).toHaveProperty("text");
    expect(await running.stop()).toBe(0);
  });
});

describe("golden project all-types", () => {
  test("compiles without a warning, untouched, and passes its first tests", () => {
    using folder = temporaryFolder();
    cpSync(`${GOLDEN_FOLDER}all-types`, folder.path, { recursive: true });
    expect(
      warningsIn(buildProject(folder.path, ["both", "side_only", "Tests", "Benches"], CHECKS_TOGETHER)),
    ).toEqual([]);
    execFileSync(`${folder.path}/build/release/Checks/all_types_tests`, { stdio: "pipe" });
  });

  test("writes bytes that protoc reads, and reads bytes that protoc wrote", () => {
    using folder = temporaryFolder();
    const generated = `${GOLDEN_FOLDER}all-types/generated`;
    const program = `${folder.path}/round_trip`;
    compileMessages(ROUND_TRIP, generated, program);
    const protoc = (mode: string, input: Buffer): Buffer =>
      runTool(
        "protoc",
        [
          `--proto_path=${generated}`,
          // Maps by their keys, as ours are.
          ...(mode === "encode" ? ["--deterministic_output"] : []),
          ...[`--${mode}=all_types.Everything`, "all_types/messages.proto"],
        ],
        input,
      );
    const ours = runTool(program, ["write"], Buffer.alloc(0));
    const text = protoc("decode", ours);
    for (const words of [
      "colour: DARK",
      "large: -9223372036854775808",
      'label: "root"',
      "colours: 12345",
      "sint: -2147483648",
      "number: -1",
      'value: "no key"',
      "-0",
    ])
      expect(text.toString().replaceAll("COLOUR_", "")).toContain(words);
    const theirs = protoc("encode", text);
    expect(theirs.equals(ours)).toBe(true);
    expect(runTool(program, ["check"], theirs).toString()).toBe("equal\n");
  });
});
