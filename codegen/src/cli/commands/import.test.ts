import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Invocation } from "../verb/command.js";
import { command } from "./import.js";

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "penstock-import-"))));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true });
});

/** Somebody at the terminal who does something, and says yes then. */
function importing(file: string, before: () => void): Promise<number> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  vi.spyOn(process, "stdin", "get").mockReturnValue(stdin as unknown as typeof process.stdin);
  const stderr = { isTTY: true } as unknown as typeof process.stderr;
  vi.spyOn(process, "stderr", "get").mockReturnValue(stderr);
  const note = (text: string): void => {
    if (!text.endsWith("[y/N]")) return;
    before();
    stdin.write("y\n");
  };
  const nothing = (): void => undefined;
  const output = { json: false, note, result: nothing, problems: nothing, document: nothing };
  const invocation: unknown = {
    positionals: [file, dir],
    flag: () => false,
    value: nothing,
    all: () => [],
    output,
    signal: new AbortController().signal,
  };
  return command.run(invocation as Invocation);
}

test("what is drawn before somebody says yes stays, and nothing is added", async () => {
  const drawing = join(dir, "topology.json");
  const meanwhile = JSON.stringify({ penstock: 1, name: "shop", messages: [{ name: "Drawn" }] });
  writeFileSync(drawing, JSON.stringify({ penstock: 1, name: "shop" }));
  const file = join(dir, "shop.proto");
  writeFileSync(file, 'syntax = "proto3";\nmessage Ask { string what = 1; }\n');
  await expect(importing(file, () => writeFileSync(drawing, meanwhile))).rejects.toMatchObject({
    exit: 1,
    code: "PS989",
    message: `${drawing} was changed meanwhile: it is left as it is`,
    help: "Run the same command again.",
  });
  expect(readFileSync(drawing, "utf8")).toBe(meanwhile);
  expect(await importing(file, () => undefined)).toBe(0);
  const { messages } = JSON.parse(readFileSync(drawing, "utf8")) as { messages: { name: string }[] };
  expect(messages.map(({ name }) => name)).toEqual(["Drawn", "Ask"]);
});

test("nothing is imported into a drawing that is not UTF-8, whose bytes stay", async () => {
  const drawing = join(dir, "topology.json");
  const bytes = Buffer.from(JSON.stringify({ penstock: 1, name: "shop", doc: "caf\xe9" }), "latin1");
  writeFileSync(drawing, bytes);
  const file = join(dir, "shop.proto");
  writeFileSync(file, 'syntax = "proto3";\nmessage Ask { string what = 1; }\n');
  await expect(importing(file, () => undefined)).rejects.toMatchObject({ exit: 1, code: "PS102" });
  expect(readFileSync(drawing)).toEqual(bytes);
});
